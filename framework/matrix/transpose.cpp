#include <algorithm>
#include <cstddef>
#include <cstring>
#include <memory>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <tombolo/framework/matrix/for_elements.hpp>
#include <tombolo/framework/matrix/strided_copy.hpp>
#include <tombolo/framework/matrix/transpose.hpp>
#include <tombolo/units.hpp>

namespace tombolo {

namespace {

// In this file row sizes are in elements and strides in bytes; only the size of an element matters.
constexpr std::int64_t panel = 1024;  // columns, the number of output pages in use at a time
constexpr std::int64_t vector_bytes = 16;

template <class Vector>
Vector load(const std::byte* from) {
  Vector value;
  std::memcpy(&value, from, sizeof value);
  return value;
}

template <class Vector>
void store(std::byte* to, Vector value) {
  std::memcpy(to, &value, sizeof value);
}

/// Transposes a block of as many rows and columns as a vector register has elements: 4 x 4, 2 x 2 or one.
template <std::int64_t bytes>
void transpose_registers(const std::byte* in, std::int64_t in_stride, std::byte* out, std::int64_t out_stride) {
  if constexpr (bytes == 4) {
    using Four [[gnu::vector_size(vector_bytes)]] = std::uint32_t;
    const auto a = load<Four>(in);
    const auto b = load<Four>(in + in_stride);
    const auto c = load<Four>(in + 2 * in_stride);
    const auto d = load<Four>(in + 3 * in_stride);
    const Four ab01 = __builtin_shufflevector(a, b, 0, 4, 1, 5);
    const Four ab23 = __builtin_shufflevector(a, b, 2, 6, 3, 7);
    const Four cd01 = __builtin_shufflevector(c, d, 0, 4, 1, 5);
    const Four cd23 = __builtin_shufflevector(c, d, 2, 6, 3, 7);
    store<Four>(out, __builtin_shufflevector(ab01, cd01, 0, 1, 4, 5));
    store<Four>(out + out_stride, __builtin_shufflevector(ab01, cd01, 2, 3, 6, 7));
    store<Four>(out + 2 * out_stride, __builtin_shufflevector(ab23, cd23, 0, 1, 4, 5));
    store<Four>(out + 3 * out_stride, __builtin_shufflevector(ab23, cd23, 2, 3, 6, 7));
  } else if constexpr (bytes == 8) {
    using Two [[gnu::vector_size(vector_bytes)]] = std::uint64_t;
    const auto a = load<Two>(in);
    const auto b = load<Two>(in + in_stride);
    store<Two>(out, __builtin_shufflevector(a, b, 0, 2));
    store<Two>(out + out_stride, __builtin_shufflevector(a, b, 1, 3));
  } else {
    using One [[gnu::vector_size(vector_bytes)]] = std::uint64_t;
    store(out, load<One>(in));
  }
}

struct Matrices {
  const std::byte* in;
  std::int64_t in_stride;
  std::byte* out;
  std::int64_t out_stride;
};

/// Transposes edges element by element, rows in bands of a cache line, so that each line of both matrices is visited
/// once.
template <std::int64_t bytes>
void transpose_edge(const Matrices& m, std::int64_t row, std::int64_t row_end, std::int64_t column,
                    std::int64_t column_end) {
  constexpr std::int64_t band = line_bytes / bytes;
  for (std::int64_t top = row; top < row_end; top += band) {
    const std::int64_t bottom = std::min(top + band, row_end);
    for (std::int64_t c = column; c < column_end; ++c) {
      for (std::int64_t r = top; r < bottom; ++r) {
        std::memcpy(m.out + c * m.out_stride + r * bytes, m.in + r * m.in_stride + c * bytes, bytes);
      }
    }
  }
}

enum class Store {
  cached,   ///< for small matrices
  aligned,  ///< streamed: every row of a tile is a cache line
  shifted   ///< streamed: rows begin anywhere in a cache line
};

/// Lines to prefetch in each row; rows are too many streams for the hardware prefetcher.
constexpr std::int64_t lines_ahead(Store how) {
  return how == Store::cached ? 2 : how == Store::aligned ? 8 : 4;
}

/// Number of vertically adjacent tiles before the next tiles to the right: memory favours pairs of lines.
constexpr std::int64_t tiles_in_band(Store how) {
  return how == Store::aligned ? 2 : 1;
}

/// Properties of a tile, except its position.
struct Tile {
  bool ahead;          ///< prefetch lines of the tiles to the right
  bool top;            ///< first tile of its column
  std::byte* carried;  ///< shifted: elements handed from a tile to the tile below
};

/// Transposes a tile: one cache line in every row of both matrices. A tile goes through a buffer, because rows at a
/// distance of a power of two share few cache sets: so every line of both matrices is visited once, as a whole. If rows
/// of the output begin anywhere in a cache line, a line holds elements of two vertically adjacent tiles; the lower tile
/// writes the line, and the upper tile carries its elements over.
template <std::int64_t bytes, Store how>
void transpose_tile(const std::byte* in, std::int64_t in_stride, std::byte* out, std::int64_t out_stride, Tile tile) {
  constexpr std::int64_t size = line_bytes / bytes;
  constexpr std::int64_t cell = vector_bytes / bytes;
  constexpr std::int64_t stride = how == Store::shifted ? 2 * line_bytes : line_bytes;
  alignas(line_bytes) std::byte buffer[size * stride];
  std::byte* const own = buffer + stride - line_bytes;
  for (std::int64_t r = 0; tile.ahead && r < size; ++r) {
    __builtin_prefetch(in + r * in_stride + lines_ahead(how) * line_bytes);
  }
  for (std::int64_t c = 0; how == Store::shifted && c < size; ++c) {
    std::memcpy(buffer + c * stride, tile.carried + c * line_bytes, line_bytes);
  }
  for (std::int64_t r = 0; r < size; r += cell) {
    for (std::int64_t c = 0; c < size; c += cell) {
      transpose_registers<bytes>(in + r * in_stride + c * bytes, in_stride, own + c * stride + r * bytes, stride);
    }
  }
  for (std::int64_t c = 0; c < size; ++c) {
    std::byte* const to = out + c * out_stride;
    if constexpr (how == Store::cached) {
      std::memcpy(to, own + c * stride, line_bytes);
    } else if constexpr (how == Store::aligned) {
      stream_line(to, own + c * stride);
    } else {
      const std::int64_t shift = to_next_line(to);
      if (!tile.top) stream_line(to + shift - line_bytes, buffer + c * stride + shift);
      std::memcpy(tile.carried + c * line_bytes, own + c * stride, line_bytes);
    }
  }
}

/// Transposes tiles from row `first` on, and the edges around.
template <std::int64_t bytes, Store how>
void transpose_tiles(const Matrices& m, std::int64_t first, std::int64_t rows, std::int64_t columns) {
  constexpr std::int64_t size = line_bytes / bytes;
  const std::int64_t last = rows - (rows - first) % size;
  const std::int64_t right = columns - columns % size;
  alignas(line_bytes) std::byte carried[how == Store::shifted ? panel * line_bytes : 1];
  for (std::int64_t left = 0; left < right; left += panel) {
    const std::int64_t panel_end = std::min(left + panel, right);
    for (std::int64_t top = first; top < last; top += tiles_in_band(how) * size) {
      const std::int64_t bottom = std::min(top + tiles_in_band(how) * size, last);
      for (std::int64_t column = left; column < panel_end; column += size) {
        const bool ahead = column + lines_ahead(how) * size < right;
        std::byte* const carry = how == Store::shifted ? carried + (column - left) * line_bytes : carried;
        for (std::int64_t row = top; row < bottom; row += size) {
          transpose_tile<bytes, how>(m.in + row * m.in_stride + column * bytes, m.in_stride,
                                     m.out + column * m.out_stride + row * bytes, m.out_stride,
                                     {ahead, row == first, carry});
        }
      }
    }
  }
  if (how != Store::cached) end_streaming();
  // Shifted tiles omit the elements before the first line and those carried by the last tiles.
  constexpr std::int64_t left_out = how == Store::shifted ? size : 0;
  transpose_edge<bytes>(m, 0, first + left_out, 0, right);
  transpose_edge<bytes>(m, last - left_out, rows, 0, right);
  transpose_edge<bytes>(m, 0, rows, right, columns);
}

template <std::int64_t bytes>
void transpose_bytes(const Matrices& m, std::int64_t rows, std::int64_t columns) {
  constexpr std::int64_t least_rows = 4 * line_bytes / bytes;
  const std::int64_t start = to_next_line(m.out);
  if (rows < least_rows || columns < streamed_from / bytes / rows) {
    transpose_tiles<bytes, Store::cached>(m, 0, rows, columns);
  } else if (m.out_stride % line_bytes == 0 && start % bytes == 0) {
    transpose_tiles<bytes, Store::aligned>(m, start / bytes, rows, columns);
  } else {
    transpose_tiles<bytes, Store::shifted>(m, 0, rows, columns);
  }
}

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
void transpose(std::int64_t rows, std::int64_t columns, const T* in, std::int64_t in_stride, T* out,
               std::int64_t out_stride) {
  if (rows < 0 || columns < 0) {
    throw Error(fmt::format("a matrix of {} x {} to transpose", rows, columns), "give sizes of 0 or more");
  }
  if (rows == 0 || columns == 0) return;
  if (in_stride < columns || out_stride < rows) {
    throw Error(fmt::format("a matrix of {} x {} to transpose from rows {} elements apart into rows {} elements apart",
                            rows, columns, in_stride, out_stride),
                fmt::format("give strides of at least {} and {}", columns, rows));
  }
  constexpr std::int64_t bytes = sizeof(T);
  transpose_bytes<bytes>({reinterpret_cast<const std::byte*>(in), in_stride * bytes, reinterpret_cast<std::byte*>(out),
                          out_stride * bytes},
                         rows, columns);
}

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

#define TOMBOLO_FOR(T)                                                                           \
  template void transpose(std::int64_t, std::int64_t, const T*, std::int64_t, T*, std::int64_t); \
  template void transpose_in_place(std::int64_t, std::int64_t, T*);
TOMBOLO_FOR_ELEMENTS(TOMBOLO_FOR)
#undef TOMBOLO_FOR

}  // namespace tombolo
