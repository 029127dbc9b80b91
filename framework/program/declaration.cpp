#include <array>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <tombolo/framework/program/declaration.hpp>

namespace tombolo {

namespace {

/// Who has which blocks, and where those begin.
std::string words(const Distribution& placed) {
  std::string text = fmt::format(" {} {}", placed.ranks(), placed.by_columns());
  for (int number = 0; number < placed.blocks(); ++number) {
    const Part block = placed.block(number);
    text += fmt::format(" {}:{}+{},{}+{}", placed.owner(number, -1), block.first_row, block.rows, block.first_column,
                        block.columns);
  }
  return text;
}

}  // namespace

std::string_view name(TaskKind kind) {
  constexpr std::array<std::string_view, 13> names{"scatterv", "gatherv", "bcast",   "allgatherv", "allreduce",
                                                   "halo",     "move",    "compute", "farm",       "own",
                                                   "swap",     "pack",    "unpack"};
  return names.at(static_cast<std::size_t>(kind));
}

std::string fingerprint(const Declaration& program) {
  std::string text = program.name;
  for (const DeclaredSlices& s : program.slices) {
    text +=
        fmt::format("|{} {} {} {} {}", s.name, s.items, s.grain, fmt::join(s.weights, ","), fmt::join(s.given, ","));
  }
  for (const DeclaredArray& a : program.arrays) {
    text += fmt::format("|{} {}x{} {} {} {} {} {}", a.name, a.shape.rows, a.shape.columns, a.element, a.slices,
                        a.root.value_or(-1), a.everywhere, a.halo);
    if (a.placed) text += words(*a.placed);
  }
  for (const DeclaredTask& t : program.tasks) {
    text += fmt::format("|{} {} {} {} {} {} {} {} {} {} {} {} {} {} {} {}", t.name, name(t.kind), t.array, t.to,
                        t.transposed, t.spends, t.commutative, t.slices, t.operations, t.kernel, t.size, t.bytes,
                        fmt::join(t.reads, ","), fmt::join(t.around, ","), fmt::join(t.writes, ","),
                        fmt::join(t.partial, ","));
  }
  for (const DeclaredLoop& l : program.loops)
    text += fmt::format("|{} {} {} {} {}", l.name, l.first, l.end, l.most, l.stops);
  return text;
}

}  // namespace tombolo
