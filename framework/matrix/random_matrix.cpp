#include <algorithm>
#include <array>
#include <concepts>
#include <cstddef>
#include <limits>

#include <fmt/format.h>

#include <tombolo/framework/matrix/for_elements.hpp>
#include <tombolo/framework/matrix/random_matrix.hpp>
#include <tombolo/units.hpp>

namespace tombolo {
namespace {

constexpr std::int64_t panel = 1024;  // rows; their keys stay in the L1 cache

/// Returns the element of a column in the row with this key.
template <Element T>
T element(std::uint64_t key, std::int64_t column) {
  if constexpr (std::floating_point<T>) {
    // The leading bits as a signed number: exactly representable, so rounding cannot reach 1.
    constexpr int bits = std::numeric_limits<T>::digits;
    constexpr T unit = T{1} / static_cast<T>(std::int64_t{1} << (bits - 1));
    const std::uint64_t mixed = mix64(key + static_cast<std::uint64_t>(column) * golden_gamma);
    return static_cast<T>(static_cast<std::int64_t>(mixed) >> (64 - bits)) * unit;
  } else {
    using Real = typename T::value_type;
    return {element<Real>(key, 2 * column), element<Real>(key, 2 * column + 1)};
  }
}

std::uint64_t key_of(std::uint64_t seed, std::uint64_t stream, std::int64_t row) {
  return row_key(seed, stream, static_cast<std::uint64_t>(row));
}

template <Element T>
void fill_by_rows(std::uint64_t seed, std::uint64_t stream, const Part& part, T* out) {
  for (std::int64_t i = 0; i < part.rows; ++i) {
    const std::uint64_t key = key_of(seed, stream, part.first_row + i);
    T* const row = out + i * part.columns;
    for (std::int64_t j = 0; j < part.columns; ++j) row[j] = element<T>(key, part.first_column + j);
  }
}

template <Element T>
void fill_by_columns(std::uint64_t seed, std::uint64_t stream, const Part& part, T* out) {
  std::array<std::uint64_t, panel> keys{};
  for (std::int64_t top = 0; top < part.rows; top += panel) {
    const std::int64_t high = std::min(panel, part.rows - top);
    for (std::int64_t i = 0; i < high; ++i) {
      keys[static_cast<std::size_t>(i)] = key_of(seed, stream, part.first_row + top + i);
    }
    for (std::int64_t j = 0; j < part.columns; ++j) {
      T* const column = out + j * part.rows + top;
      for (std::int64_t i = 0; i < high; ++i) {
        column[i] = element<T>(keys[static_cast<std::size_t>(i)], part.first_column + j);
      }
    }
  }
}

}  // namespace

template <Element T>
void fill_random(std::uint64_t seed, std::uint64_t stream, const Part& part, bool column_major, T* out) {
  if (part.first_row < 0 || part.rows < 0 || part.first_column < 0 || part.columns < 0) {
    throw Error(fmt::format("{} rows from row {} and {} columns from column {} of a generated matrix", part.rows,
                            part.first_row, part.columns, part.first_column),
                "give sizes of 0 or more");
  }
  if (part.elements() == 0) return;  // a dimension may still be huge
  column_major ? fill_by_columns(seed, stream, part, out) : fill_by_rows(seed, stream, part, out);
}

#define TOMBOLO_FOR(T) template void fill_random(std::uint64_t, std::uint64_t, const Part&, bool, T*);
TOMBOLO_FOR_ELEMENTS(TOMBOLO_FOR)
#undef TOMBOLO_FOR

}  // namespace tombolo
