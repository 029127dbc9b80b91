#include <algorithm>
#include <utility>

#include <tombolo/framework/part.hpp>

namespace tombolo {

namespace {

// Returns the start and length of the intersection of two ranges.
std::pair<std::int64_t, std::int64_t> common(std::int64_t first, std::int64_t count, std::int64_t other_first,
                                             std::int64_t other_count) {
  const std::int64_t begin = std::max(first, other_first);
  return {begin, std::max<std::int64_t>(std::min(first + count, other_first + other_count) - begin, 0)};
}

}  // namespace

Part overlap(const Part& one, const Part& other) {
  const auto [first_row, rows] = common(one.first_row, one.rows, other.first_row, other.rows);
  const auto [first_column, columns] = common(one.first_column, one.columns, other.first_column, other.columns);
  return {first_row, rows, first_column, columns};
}

}  // namespace tombolo
