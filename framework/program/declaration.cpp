#include <array>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <tombolo/framework/program/declaration.hpp>

namespace tombolo {

std::string_view name(TaskKind kind) {
  constexpr std::array<std::string_view, 11> names{"scatterv", "gatherv", "bcast", "allgatherv", "allreduce", "halo",
                                                   "move",     "compute", "farm",  "own",        "swap"};
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
  }
  for (const DeclaredTask& t : program.tasks) {
    text +=
        fmt::format("|{} {} {} {} {} {} {} {} {} {} {} {} {} {} {}", t.name, name(t.kind), t.array, t.to, t.transposed,
                    t.commutative, t.slices, t.operations, t.kernel, t.size, t.bytes, fmt::join(t.reads, ","),
                    fmt::join(t.around, ","), fmt::join(t.writes, ","), fmt::join(t.partial, ","));
  }
  for (const DeclaredLoop& l : program.loops)
    text += fmt::format("|{} {} {} {} {}", l.name, l.first, l.end, l.most, l.stops);
  return text;
}

}  // namespace tombolo
