#include <array>
#include <string_view>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "abstract_program.hpp"

namespace tombolo::fuzz {

namespace {

constexpr std::array types{"u64", "u32", "f64"};
constexpr std::array ops{"none", "sum", "product", "max", "min", "bits", "last"};
constexpr std::array placings{"none", "rows", "columns", "blocks"};
constexpr std::array kinds{"reads", "around", "whole", "writes", "updates", "combines"};

template <class Names, class Enum>
std::string_view name(const Names& names, Enum value) {
  return names.at(static_cast<std::size_t>(value));
}

std::string to_text(const AbstractArray& a) {
  std::string text = fmt::format("{} {}", name(types, a.type), a.extents);
  if (a.op != Op::none) return text + fmt::format(" partial {}", name(ops, a.op));
  if (a.domain >= 0) text += fmt::format(" over d{}", a.domain);
  if (a.everywhere) text += " everywhere";
  if (a.root >= 0) text += fmt::format(" at {} of ranks", a.root);
  if (a.halo > 0) text += fmt::format(" halo {}", a.halo);
  if (a.placed != Placing::none) text += fmt::format(" as {}", name(placings, a.placed));
  return text;
}

std::string to_text(const AbstractTask& t) {
  std::string text(tombolo::name(t.kind));
  if (t.transposed) text += " transposed";
  if (t.spends) text += " spending";
  if (t.domain >= 0) text += fmt::format(" over d{}", t.domain);
  const bool works = t.kind == TaskKind::compute || t.kind == TaskKind::farm || t.kind == TaskKind::custom;
  if (!works) text += fmt::format(" a{}", t.array);
  if (t.kind == TaskKind::move || t.kind == TaskKind::swap) text += fmt::format(" a{}", t.to);
  for (const AbstractAccess& access : t.accesses)
    text += fmt::format(" {}(a{})", name(kinds, access.kind), access.array);
  return text;
}

}  // namespace

std::string to_text(const AbstractProgram& program) {
  std::string text = fmt::format("seed {}, {} runs\n", program.seed, program.runs);
  for (std::size_t d = 0; d < program.domains.size(); ++d) {
    const AbstractDomain& domain = program.domains[d];
    text += fmt::format("  d{}: {}{}{}{}{}\n", d, domain.extents,
                        domain.weights.empty() ? "" : fmt::format(" weights {}", domain.weights),
                        domain.grain > 1 ? fmt::format(" grain {}", domain.grain) : "",
                        domain.given != 0 ? " given" : "", domain.adapts ? " adapts" : "");
  }
  for (std::size_t a = 0; a < program.arrays.size(); ++a) {
    text += fmt::format("  a{}: {}\n", a, to_text(program.arrays[a]));
  }
  int loop = -1;
  for (const AbstractTask& task : program.tasks) {
    if (task.loop >= 0 && task.loop != loop) {
      const AbstractLoop& of = program.loops[static_cast<std::size_t>(task.loop)];
      text += fmt::format("  loop of {}, until {}:\n", of.most, of.watches);
    }
    loop = task.loop;
    text += fmt::format("  {}{}\n", loop >= 0 ? "  " : "", to_text(task));
  }
  return text;
}

}  // namespace tombolo::fuzz
