#include <algorithm>
#include <complex>
#include <cstddef>
#include <cstring>
#include <memory>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <tombolo/framework/matrix/permute_rows.hpp>
#include <tombolo/framework/matrix/transpose.hpp>
#include <tombolo/framework/matrix/transpose_in_place.hpp>
#include <tombolo/platform/error.hpp>

namespace tombolo {
namespace {

constexpr Bytes strip_bytes = 1024;     // of each row of a strip, long enough for full copy speed
constexpr Bytes small_matrix = 262144;  // a matrix up to this size goes through the workspace as a whole
constexpr Bytes tile_bytes = 512;       // of each row of a tile in a square matrix

template <Element T>
std::unique_ptr<T[]> workspace(std::int64_t elements) {
  return std::make_unique_for_overwrite<T[]>(static_cast<std::size_t>(elements));
}

template <Element T>
void copy(const T* from, std::int64_t elements, T* to) {
  std::memmove(static_cast<void*>(to), from, static_cast<std::size_t>(elements) * sizeof(T));
}

template <Element T>
void transpose_through(std::int64_t rows, std::int64_t columns, T* matrix, T* through) {
  transpose(rows, columns, matrix, columns, through, rows);
  copy(through, rows * columns, matrix);
}

template <Element T>
void transpose_square(std::int64_t size, T* matrix) {
  constexpr std::int64_t tile = tile_bytes / std::int64_t{sizeof(T)};
  const auto kept = workspace<T>(tile * tile);
  for (std::int64_t i = 0; i < size; i += tile) {
    const std::int64_t high = std::min(tile, size - i);
    for (std::int64_t j = i; j < size; j += tile) {
      const std::int64_t wide = std::min(tile, size - j);
      T* const upper = matrix + i * size + j;
      T* const lower = matrix + j * size + i;
      transpose(high, wide, upper, size, kept.get(), high);
      if (i != j) transpose(wide, high, lower, size, upper, size);
      for (std::int64_t row = 0; row < wide; ++row) copy(kept.get() + row * high, high, lower + row * size);
    }
  }
}

/// The strips of a tall matrix, of `high` rows each, or of a wide matrix, of `high` columns each.
struct Strips {
  std::int64_t narrow;  ///< the smaller of rows and columns
  std::int64_t length;  ///< the larger of rows and columns
  std::int64_t high;    ///< rows or columns of a strip
  std::int64_t count() const { return length / high; }
  std::int64_t whole() const { return count() * high; }  ///< the part of length covered by strips
  std::int64_t rest() const { return length - whole(); }
};

template <Element T>
Strips strips_of(std::int64_t rows, std::int64_t columns) {
  const auto [narrow, length] = std::minmax(rows, columns);
  return {narrow, length, std::min(strip_bytes / std::int64_t{sizeof(T)}, length)};
}

/// Transposes length x narrow to narrow x length.
template <Element T>
void transpose_tall(const Strips& s, T* matrix) {
  const auto through = workspace<T>(s.high * s.narrow);
  for (std::int64_t strip = 0; strip < s.count(); ++strip) {
    transpose_through(s.high, s.narrow, matrix + strip * s.high * s.narrow, through.get());
  }
  if (s.rest() > 0) transpose(s.rest(), s.narrow, matrix + s.whole() * s.narrow, s.narrow, through.get(), s.rest());
  // Row r of strip p is the p-th segment of row r.
  permute_rows(s.count() * s.narrow, s.high, matrix,
               [&s](std::int64_t at) { return at % s.count() * s.narrow + at / s.count(); });
  if (s.rest() == 0) return;
  for (std::int64_t row = s.narrow - 1; row >= 0; --row) {
    copy(matrix + row * s.whole(), s.whole(), matrix + row * s.length);
    copy(through.get() + row * s.rest(), s.rest(), matrix + row * s.length + s.whole());
  }
}

/// Transposes narrow x length to length x narrow, by the same steps backwards.
template <Element T>
void transpose_wide(const Strips& s, T* matrix) {
  const auto through = workspace<T>(s.high * s.narrow);
  if (s.rest() > 0) {
    transpose(s.narrow, s.rest(), matrix + s.whole(), s.length, through.get(), s.narrow);
    for (std::int64_t row = 1; row < s.narrow; ++row) {
      copy(matrix + row * s.length, s.whole(), matrix + row * s.whole());
    }
    copy(through.get(), s.rest() * s.narrow, matrix + s.whole() * s.narrow);
  }
  permute_rows(s.count() * s.narrow, s.high, matrix,
               [&s](std::int64_t at) { return at % s.narrow * s.count() + at / s.narrow; });
  for (std::int64_t strip = 0; strip < s.count(); ++strip) {
    transpose_through(s.narrow, s.high, matrix + strip * s.high * s.narrow, through.get());
  }
}

bool is_small(std::int64_t rows, std::int64_t columns, Bytes element) {
  return rows * columns * element <= small_matrix;
}

}  // namespace

template <Element T>
void transpose_in_place(std::int64_t rows, std::int64_t columns, T* matrix) {
  if (rows < 0 || columns < 0) {
    throw Error(fmt::format("a matrix of {} x {} to transpose", rows, columns), "give sizes of 0 or more");
  }
  if (rows <= 1 || columns <= 1) return;  // unchanged in memory
  if (rows == columns) {
    transpose_square(rows, matrix);
  } else if (is_small(rows, columns, sizeof(T))) {
    transpose_through(rows, columns, matrix, workspace<T>(rows * columns).get());
  } else if (rows > columns) {
    transpose_tall(strips_of<T>(rows, columns), matrix);
  } else {
    transpose_wide(strips_of<T>(rows, columns), matrix);
  }
}

Bytes in_place_workspace(std::int64_t rows, std::int64_t columns, Bytes element) {
  if (rows <= 1 || columns <= 1) return 0;
  if (rows == columns) return tile_bytes * (tile_bytes / element);
  if (is_small(rows, columns, element)) return rows * columns * element;
  return strip_bytes * std::min(rows, columns) + rows * columns * element / strip_bytes / 8;
}

template void transpose_in_place(std::int64_t, std::int64_t, float*);
template void transpose_in_place(std::int64_t, std::int64_t, double*);
template void transpose_in_place(std::int64_t, std::int64_t, std::complex<float>*);
template void transpose_in_place(std::int64_t, std::int64_t, std::complex<double>*);

}  // namespace tombolo
