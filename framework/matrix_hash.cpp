#include <algorithm>
#include <array>
#include <complex>
#include <cstddef>
#include <cstring>
#include <type_traits>

#include <fmt/format.h>

#include <tombolo/framework/matrix_hash.hpp>
#include <tombolo/framework/random_matrix.hpp>
#include <tombolo/platform/error.hpp>

namespace tombolo {
namespace {

constexpr std::int64_t panel = 1024;  // columns, whose keys stay in the first cache

/// Keys of rows and columns, all different (the factor is odd). Element (i, j) is mixed with the sum of its two: a
/// multiplication less per element than a key of its own, and sums of two places coincide no more often than by chance.
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
std::uint64_t hash_rows(const T* row_major, std::int64_t first_row, std::int64_t rows, std::int64_t columns,
                        bool transposed) {
  if (first_row < 0 || rows < 0 || columns < 0) {
    throw Error(fmt::format("{} rows from row {} of a matrix of {} columns to hash", rows, first_row, columns),
                "give sizes of 0 or more");
  }
  std::uint64_t sum = 0;
  std::array<std::uint64_t, panel> parts{};
  for (std::int64_t left = 0; left < columns; left += panel) {
    const std::int64_t wide = std::min(panel, columns - left);
    for (std::int64_t j = 0; j < wide; ++j) {
      parts[static_cast<std::size_t>(j)] = transposed ? row_part(left + j) : column_part(left + j);
    }
    for (std::int64_t i = 0; i < rows; ++i) {
      const std::uint64_t part = transposed ? column_part(first_row + i) : row_part(first_row + i);
      const T* const row = row_major + i * columns + left;
      for (std::int64_t j = 0; j < wide; ++j) sum += mixed(part + parts[static_cast<std::size_t>(j)], row[j]);
    }
  }
  return sum;
}

template std::uint64_t hash_rows(const float*, std::int64_t, std::int64_t, std::int64_t, bool);
template std::uint64_t hash_rows(const double*, std::int64_t, std::int64_t, std::int64_t, bool);
template std::uint64_t hash_rows(const std::complex<float>*, std::int64_t, std::int64_t, std::int64_t, bool);
template std::uint64_t hash_rows(const std::complex<double>*, std::int64_t, std::int64_t, std::int64_t, bool);

}  // namespace tombolo
