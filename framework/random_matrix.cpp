#include <limits>

#include <fmt/format.h>

#include <tombolo/framework/random_matrix.hpp>
#include <tombolo/platform/error.hpp>

namespace tombolo {

template <class T>
void fill_random(std::uint64_t seed, std::uint64_t stream, std::int64_t first_row, std::int64_t rows,
                 std::int64_t columns, T* out) {
  if (first_row < 0 || rows < 0 || columns < 0) {
    throw Error(fmt::format("{} rows from row {} of a generated matrix of {} columns", rows, first_row, columns),
                "give sizes of 0 or more");
  }
  // The leading bits as a signed number: exactly representable, so no rounding can reach 1.
  constexpr int bits = std::numeric_limits<T>::digits;
  constexpr T unit = T{1} / static_cast<T>(std::int64_t{1} << (bits - 1));
  for (std::int64_t i = 0; i < rows; ++i) {
    std::uint64_t state = row_key(seed, stream, static_cast<std::uint64_t>(first_row + i));
    T* const row = out + i * columns;
    for (std::int64_t j = 0; j < columns; ++j, state += golden_gamma) {
      row[j] = static_cast<T>(static_cast<std::int64_t>(mix64(state)) >> (64 - bits)) * unit;
    }
  }
}

template void fill_random(std::uint64_t, std::uint64_t, std::int64_t, std::int64_t, std::int64_t, float*);
template void fill_random(std::uint64_t, std::uint64_t, std::int64_t, std::int64_t, std::int64_t, double*);

}  // namespace tombolo
