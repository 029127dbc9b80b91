#pragma once

#include <cstdint>

#include <tombolo/matrix.hpp>

namespace tombolo {

/// The finaliser of splitmix64: a bijection of 64-bit integers; every output bit depends on every input bit. Source:
/// Steele, Lea and Flood, Fast splittable pseudorandom number generators, OOPSLA 2014; Stafford's mix 13.
constexpr std::uint64_t mix64(std::uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9U;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebU;
  return x ^ (x >> 31);
}

constexpr std::uint64_t golden_gamma = 0x9e3779b97f4a7c15U;  ///< 2^64 divided by the golden ratio, made odd

/// Returns the key of row i. The random bits of element (i, j) of a matrix are mix64(row_key(seed, stream, i) + j *
/// golden_gamma): splitmix64 restarted in each row, so that any rank can make any part of the matrix, in any order.
constexpr std::uint64_t row_key(std::uint64_t seed, std::uint64_t stream, std::uint64_t i) {
  return mix64(mix64(mix64(seed + golden_gamma) + stream * golden_gamma) + i * golden_gamma);
}

/// Fills `out` with a part of the matrix number `stream` generated from `seed`: uniform in [-1, 1), a pure function of
/// (seed, stream, i, j), so the same for any number of ranks on any machine. A float is the double of the same index
/// rounded down to 2^-23; a complex element (i, j) consists of the real ones (i, 2j) and (i, 2j + 1). The order in
/// memory is row-major, or column-major if column_major is set. Throws Error for negative sizes.
template <Element T>
void fill_random(std::uint64_t seed, std::uint64_t stream, const Part& part, bool column_major, T* out);

/// Fills `out` with rows first_row, first_row + 1, ... of a matrix, row-major.
///
///     fill_random(42, 0, 0, 6, 4, all);  fill_random(42, 0, 2, 3, 4, part);   part[0] == all[2 * 4]
template <Element T>
void fill_random(std::uint64_t seed, std::uint64_t stream, std::int64_t first_row, std::int64_t rows,
                 std::int64_t columns, T* out) {
  fill_random(seed, stream, {first_row, rows, 0, columns}, false, out);
}

}  // namespace tombolo
