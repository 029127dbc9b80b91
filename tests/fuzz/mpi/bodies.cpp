// The arithmetic of made-up programs. Integers wrap around, floating-point numbers are whole and small: the order of
// sums makes no difference.
#include <algorithm>
#include <bit>
#include <limits>

#include "abstract_program.hpp"

namespace tombolo::fuzz {

namespace {

constexpr std::uint64_t whole_numbers = std::uint64_t{1} << 53;
constexpr std::uint64_t small_numbers = std::uint64_t{1} << 20;

std::int64_t below(std::uint64_t number, std::int64_t end) {
  return static_cast<std::int64_t>(number % static_cast<std::uint64_t>(end));
}

void combine_at(const AbstractArray& array, std::size_t slot, std::uint64_t value, Slots& slots) {
  if (array.size() == 0) return;
  slots.combine(slot, below(mix(value, 3), array.rows()), below(mix(value, 5), array.columns()), value);
}

std::uint64_t read_whole(const AbstractArray& array, std::size_t slot, std::uint64_t at, Slots& slots) {
  if (array.size() == 0) return at;
  return mix(at, slots.get(slot, below(mix(at, 7), array.rows()), below(mix(at, 9), array.columns())));
}

std::uint64_t read_around(const AbstractArray& array, std::size_t slot, std::int64_t row, std::uint64_t value,
                          Slots& slots) {
  const std::int64_t end = std::min(array.rows(), row + array.halo + 1);
  for (std::int64_t r = std::max<std::int64_t>(0, row - array.halo); r < end && array.columns() > 0; ++r) {
    value = mix(value, slots.get(slot, r, below(mix(value, 11), array.columns())));
  }
  return value;
}

}  // namespace

std::uint64_t mix(std::uint64_t one, std::uint64_t other) {
  std::uint64_t x = one * 0x9e3779b97f4a7c15 ^ (other + 0x7f4a7c15) * 0xc2b2ae3d27d4eb4f;
  x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9;
  x = (x ^ x >> 27) * 0x94d049bb133111eb;
  return x ^ x >> 31;
}

double as_double(std::uint64_t number) {
  return number < whole_numbers ? static_cast<double>(number) : std::bit_cast<double>(number);
}

std::uint64_t from_double(double number) {
  const bool whole = number >= 0 && number < static_cast<double>(whole_numbers);
  return whole ? static_cast<std::uint64_t>(number) : std::bit_cast<std::uint64_t>(number);
}

std::uint64_t fitted(Type type, std::uint64_t value) {
  if (type == Type::u32) return value & std::numeric_limits<std::uint32_t>::max();
  return type == Type::f64 ? value % small_numbers : value;
}

std::uint64_t identity(Type type, Op op) {
  if (op == Op::product) return 1;
  const double infinity = std::numeric_limits<double>::infinity();
  if (op == Op::max) return type == Type::f64 ? from_double(-infinity) : 0;
  if (op != Op::min) return 0;
  if (type == Type::f64) return from_double(infinity);
  return type == Type::u32 ? std::numeric_limits<std::uint32_t>::max() : std::numeric_limits<std::uint64_t>::max();
}

std::uint64_t combined(Type type, Op op, std::uint64_t one, std::uint64_t other) {
  if (op == Op::bits) return one ^ other;
  if (op == Op::last) return other != 0 ? other : one;
  if (type == Type::f64) {
    const double a = as_double(one);
    const double b = as_double(other);
    return from_double(op == Op::sum ? a + b : op == Op::max ? std::max(a, b) : std::min(a, b));
  }
  if (op == Op::max) return std::max(one, other);
  if (op == Op::min) return std::min(one, other);
  return fitted(type, op == Op::sum ? one + other : one * other);
}

void item_body(const AbstractProgram& program, const AbstractTask& task, std::int64_t row, Slots& slots) {
  std::uint64_t value = mix(task.seed, static_cast<std::uint64_t>(row));
  const auto each = [&](AccessKind kind, const auto& what) {
    for (std::size_t slot = 0; slot < task.accesses.size(); ++slot) {
      if (task.accesses[slot].kind == kind) what(slot, program.array(task.accesses[slot].array));
    }
  };
  each(AccessKind::reads, [&](std::size_t slot, const AbstractArray& array) {
    for (std::int64_t c = 0; c < array.columns(); ++c) value = mix(value, slots.get(slot, row, c));
  });
  each(AccessKind::around,
       [&](std::size_t slot, const AbstractArray& array) { value = read_around(array, slot, row, value, slots); });
  each(AccessKind::whole,
       [&](std::size_t slot, const AbstractArray& array) { value = read_whole(array, slot, value, slots); });
  each(AccessKind::updates, [&](std::size_t slot, const AbstractArray& array) {
    for (std::int64_t c = 0; c < array.columns(); ++c) {
      const std::uint64_t at = mix(value, static_cast<std::uint64_t>(c));
      if (at % 3 != 0) slots.put(slot, row, c, mix(at, slots.get(slot, row, c)));
    }
  });
  each(AccessKind::writes, [&](std::size_t slot, const AbstractArray& array) {
    for (std::int64_t c = 0; c < array.columns(); ++c) {
      slots.put(slot, row, c, mix(mix(value, slot), static_cast<std::uint64_t>(c)));
    }
  });
  each(AccessKind::combines, [&](std::size_t slot, const AbstractArray& array) {
    const std::uint64_t part = mix(value, slot);
    if (part % 4 != 0) combine_at(array, slot, part, slots);
  });
}

void custom_body(const AbstractProgram& program, const AbstractTask& task, Slots& slots) {
  const auto each = [&](const auto& what) {
    for (std::size_t slot = 0; slot < task.accesses.size(); ++slot) {
      what(slot, task.accesses[slot].kind, program.array(task.accesses[slot].array));
    }
  };
  std::uint64_t mine = 0;
  each([&](std::size_t slot, AccessKind kind, const AbstractArray& array) {
    if (kind != AccessKind::reads && kind != AccessKind::updates && kind != AccessKind::around) return;
    const Slots::Rows rows = slots.own(slot);
    for (std::int64_t r = rows.first; r < rows.end; ++r) {
      std::uint64_t value = mix(task.seed, mix(slot, static_cast<std::uint64_t>(r)));
      if (kind == AccessKind::around) value = read_around(array, slot, r, value, slots);
      for (std::int64_t c = 0; c < array.columns(); ++c) value = mix(value, slots.get(slot, r, c));
      mine += value;
    }
  });
  std::uint64_t all = mix(task.seed, slots.sum(mine));
  each([&](std::size_t slot, AccessKind kind, const AbstractArray& array) {
    if (kind == AccessKind::whole) all = read_whole(array, slot, all, slots);
  });
  each([&](std::size_t slot, AccessKind kind, const AbstractArray& array) {
    if (kind == AccessKind::combines && slots.first()) combine_at(array, slot, mix(all, slot), slots);
    if (kind != AccessKind::writes && kind != AccessKind::updates) return;
    const Slots::Rows rows = slots.written(slot);
    for (std::int64_t r = rows.first; r < rows.end; ++r) {
      for (std::int64_t c = 0; c < array.columns(); ++c) {
        const std::uint64_t before = kind == AccessKind::updates ? slots.get(slot, r, c) : 0;
        slots.put(slot, r, c, mix(mix(all, before), static_cast<std::uint64_t>(r * array.columns() + c)));
      }
    }
  });
}

bool enough(const AbstractLoop& loop, const std::vector<std::uint64_t>& values) {
  std::uint64_t value = loop.seed;
  for (const std::uint64_t watched : values) value = mix(value, watched);
  return value % 3 == 0;
}

std::uint64_t filling(std::uint64_t seed, const AbstractArray& array, std::int64_t row, std::int64_t column) {
  return fitted(array.type, mix(seed, static_cast<std::uint64_t>(row * array.columns() + column)));
}

}  // namespace tombolo::fuzz
