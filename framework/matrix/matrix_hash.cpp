#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <type_traits>

#include <fmt/format.h>

#include <tombolo/framework/matrix/for_elements.hpp>
#include <tombolo/framework/matrix/matrix_hash.hpp>
#include <tombolo/framework/matrix/random_matrix.hpp>
#include <tombolo/units.hpp>

namespace tombolo {
namespace {

constexpr std::int64_t panel = 1024;  // columns; their keys stay in the L1 cache

/// Keys of rows and columns, all different (the factor is odd). Element (i, j) is mixed with the sum of its two keys:
/// one multiplication less per element than a separate key, and sums of two elements coincide only by chance.
std::uint64_t row_part(std::int64_t i) {
  return mix64((2 * static_cast<std::uint64_t>(i) + 1) * golden_gamma);
}

std::uint64_t column_part(std::int64_t j) {
  return mix64((2 * static_cast<std::uint64_t>(j) + 2) * golden_gamma);
}

template <class T>
std::uint64_t mixed(std::uint64_t key, const T& element) {
  if constexpr (sizeof(T) == 16) {
    std::array<std::uint64_t, 2> bits{};
    std::memcpy(bits.data(), &element, sizeof bits);
    return mix64(mix64(key + bits[0]) + bits[1]);
  } else {
    std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t> bits = 0;
    std::memcpy(&bits, &element, sizeof bits);
    return mix64(key + bits);
  }
}

}  // namespace

template <Element T>
std::uint64_t hash_part(const T* elements, const Part& part, bool column_major, bool transposed) {
  // Column-major order is the row-major order of the transpose.
  if (column_major) return hash_part(elements, part.transposed(), false, !transposed);
  if (part.first_row < 0 || part.rows < 0 || part.first_column < 0 || part.columns < 0) {
    throw Error(fmt::format("{} rows from row {} and {} columns from column {} to hash", part.rows, part.first_row,
                            part.columns, part.first_column),
                "give sizes of 0 or more");
  }
  if (part.elements() == 0) return 0;  // a dimension may still be huge
  std::uint64_t sum = 0;
  std::array<std::uint64_t, panel> parts{};
  for (std::int64_t left = 0; left < part.columns; left += panel) {
    const std::int64_t wide = std::min(panel, part.columns - left);
    for (std::int64_t j = 0; j < wide; ++j) {
      const std::int64_t column = part.first_column + left + j;
      parts[static_cast<std::size_t>(j)] = transposed ? row_part(column) : column_part(column);
    }
    for (std::int64_t i = 0; i < part.rows; ++i) {
      const std::uint64_t own = transposed ? column_part(part.first_row + i) : row_part(part.first_row + i);
      const T* const row = elements + i * part.columns + left;
      for (std::int64_t j = 0; j < wide; ++j) sum += mixed(own + parts[static_cast<std::size_t>(j)], row[j]);
    }
  }
  return sum;
}

#define TOMBOLO_FOR(T) template std::uint64_t hash_part(const T*, const Part&, bool, bool);
TOMBOLO_FOR_ELEMENTS(TOMBOLO_FOR)
#undef TOMBOLO_FOR

}  // namespace tombolo
