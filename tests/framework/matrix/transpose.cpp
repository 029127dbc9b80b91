#include <algorithm>
#include <array>
#include <bit>
#include <complex>
#include <cstdint>
#include <cstring>
#include <numeric>
#include <random>
#include <utility>
#include <vector>

#include <catch2/catch.hpp>

#include <tombolo/framework/matrix/transpose.hpp>
#include <tombolo/units.hpp>

#include "framework/elements.hpp"

using namespace tombolo;

namespace {

/// Any bits: NaN with payloads, infinities, denormals, -0.
template <class T>
std::vector<T> random_bits(std::int64_t elements, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<std::uint32_t> words(static_cast<std::size_t>(elements) * sizeof(T) / 4);
  std::generate(words.begin(), words.end(), [&] { return static_cast<std::uint32_t>(random()); });
  std::vector<T> values(static_cast<std::size_t>(elements));
  if (!words.empty()) std::memcpy(static_cast<void*>(values.data()), words.data(), values.size() * sizeof(T));
  return values;
}

template <class T>
auto bits(const T& value) {
  return std::bit_cast<std::array<std::uint32_t, sizeof(T) / 4>>(value);
}

template <class T>
bool same_bits(const T& x, const T& y) {
  return bits(x) == bits(y);
}

struct Case {
  std::int64_t rows = 0;
  std::int64_t columns = 0;
  std::int64_t in_gap = 0;  // elements between rows
  std::int64_t out_gap = 0;
  std::size_t in_offset = 0;  // elements before the matrices
  std::size_t out_offset = 0;
};

template <class T>
void check(const Case& c) {
  INFO(c.rows << " x " << c.columns << " gaps " << c.in_gap << " " << c.out_gap << " offsets " << c.in_offset << " "
              << c.out_offset);
  const std::int64_t in_stride = c.columns + c.in_gap;
  const std::int64_t out_stride = c.rows + c.out_gap;
  const auto in = random_bits<T>(c.rows * in_stride + static_cast<std::int64_t>(c.in_offset), 1);
  const auto before = random_bits<T>(c.columns * out_stride + static_cast<std::int64_t>(c.out_offset) + 3, 2);
  auto out = before;
  transpose(c.rows, c.columns, in.data() + c.in_offset, in_stride, out.data() + c.out_offset, out_stride);

  auto expected = before;
  for (std::int64_t i = 0; i < c.rows; ++i) {
    for (std::int64_t j = 0; j < c.columns; ++j) {
      expected[c.out_offset + static_cast<std::size_t>(j * out_stride + i)] =
          in[c.in_offset + static_cast<std::size_t>(i * in_stride + j)];
    }
  }
  REQUIRE(std::equal(out.begin(), out.end(), expected.begin(), same_bits<T>));
}

/// Every element with bits of its own, as far as its type has them.
template <class T>
std::vector<T> numbered(std::int64_t elements) {
  std::vector<T> all(static_cast<std::size_t>(elements));
  for (std::int64_t e = 0; e < elements; ++e) {
    std::memcpy(static_cast<void*>(all.data() + e), &e, std::min(sizeof e, sizeof(T)));
  }
  return all;
}

template <class T>
bool is_transposed(std::int64_t rows, std::int64_t columns, const std::vector<T>& before,
                   const std::vector<T>& matrix) {
  for (std::int64_t i = 0; i < rows; ++i) {
    for (std::int64_t j = 0; j < columns; ++j) {
      const auto at = static_cast<std::size_t>(j * rows + i);
      if (bits(matrix[at]) != bits(before[static_cast<std::size_t>(i * columns + j)])) return false;
    }
  }
  return true;
}

template <class T>
void check(std::int64_t rows, std::int64_t columns) {
  INFO(rows << " x " << columns);
  const auto before = numbered<T>(rows * columns);
  auto matrix = before;
  transpose_in_place(rows, columns, matrix.data());
  REQUIRE(is_transposed(rows, columns, before, matrix));
}

}  // namespace

TEMPLATE_TEST_CASE("a transposed matrix has every element at its place, bit for bit", "", TOMBOLO_ELEMENTS) {
  for (const std::int64_t rows : {0, 1, 2, 3, 4, 7, 8, 9, 15, 16, 17, 33, 65, 100}) {
    for (const std::int64_t columns : {0, 1, 2, 3, 4, 7, 8, 9, 15, 16, 17, 33, 65, 100}) {
      check<TestType>({rows, columns});
      check<TestType>({rows, columns, 3, 5, 1, 1});
    }
  }
}

TEMPLATE_TEST_CASE("large matrices, whose elements go past the caches", "", TOMBOLO_ELEMENTS) {
  constexpr std::int64_t elements = 4'400'000 / sizeof(TestType);
  for (const std::size_t offset : {0U, 1U, 2U, 5U}) {
    check<TestType>({512, elements / 512, 0, 0, 0, offset});  // rows of the output begin alike in their cache lines
    check<TestType>({509, elements / 509, 0, 0, 0, offset});  // and everywhere
    check<TestType>({2008, elements / 2008, 3, 1, 1, offset});
  }
  for (const std::int64_t narrow : {1, 5, 64, 67}) {
    check<TestType>({narrow, elements / narrow, 1, 1});
    check<TestType>({elements / narrow, narrow, 1, 1});
  }
}

TEST_CASE("complex elements that begin in the middle of one") {
  // A complex<double> is aligned as a double is, so cache lines may begin inside elements.
  const auto in = random_bits<std::complex<double>>(std::int64_t{700} * 900, 3);
  std::vector<double> storage(700 * 900 * 2 + 1);
  for (const std::size_t offset : {0U, 1U}) {
    auto* const out = reinterpret_cast<std::complex<double>*>(storage.data() + offset);
    transpose(700, 900, in.data(), 900, out, 700);
    bool right = true;
    for (std::size_t i = 0; i < 700; ++i) {
      for (std::size_t j = 0; j < 900; ++j) right &= same_bits(out[j * 700 + i], in[i * 900 + j]);
    }
    CHECK(right);
  }
}

TEST_CASE("matrices that cannot be transposed are errors, empty ones touch nothing") {
  double x = 7;
  transpose(0, 5, &x, 5, &x, 0);
  transpose(5, 0, &x, 0, &x, 5);
  CHECK(x == 7);
  CHECK_THROWS_AS(transpose(-1, 1, &x, 1, &x, 1), Error);
  CHECK_THROWS_AS(transpose(1, -1, &x, 1, &x, 1), Error);
  CHECK_THROWS_AS(transpose(2, 3, &x, 2, &x, 2), Error);
  CHECK_THROWS_AS(transpose(2, 3, &x, 3, &x, 1), Error);
  CHECK_THROWS_AS(transpose(2, 3, &x, -3, &x, 2), Error);
}

TEMPLATE_TEST_CASE("in place: all shapes up to 40 x 40", "", TOMBOLO_ELEMENTS) {
  for (std::int64_t rows = 0; rows <= 40; ++rows) {
    for (std::int64_t columns = 0; columns <= 40; ++columns) check<TestType>(rows, columns);
  }
}

TEMPLATE_TEST_CASE("in place: shapes that take several strips or tiles", "", TOMBOLO_ELEMENTS) {
  // One strip and several, that fill the matrix or do not; thin ones; squares.
  for (const auto& [one, other] : std::vector<std::pair<std::int64_t, std::int64_t>>{
           {1024, 300}, {1025, 300}, {1023, 307}, {600, 599}, {90'001, 3}, {70'000, 2}, {257, 1031}, {70'000, 1}}) {
    check<TestType>(one, other);
    check<TestType>(other, one);
  }
  for (const std::int64_t size : {63, 64, 65, 127, 129, 200, 517}) check<TestType>(size, size);
}

TEST_CASE("in place: sizes below 0 are errors, what is taken beside is small") {
  double x = 7;
  CHECK_THROWS_AS(transpose_in_place(-1, 1, &x), Error);
  CHECK_THROWS_AS(transpose_in_place(1, -1, &x), Error);
  transpose_in_place(1, 1, &x);
  CHECK(x == 7);
  CHECK(in_place_workspace(1, 1'000'000, 8) == 0);
  CHECK(in_place_workspace(8192, 8192, 8) == 32768);
  CHECK(in_place_workspace(8192, 4096, 8) == 4096 * 1024 + 8192 * 4096 / 1024);
  CHECK(in_place_workspace(4096, 8192, 8) == in_place_workspace(8192, 4096, 8));
}

TEST_CASE("rows go where any permutation says, whatever their width") {
  std::mt19937 random(5);
  for (const std::int64_t rows : {0, 1, 2, 3, 7, 64, 129, 1000}) {
    for (const std::int64_t width : {0, 1, 3, 40, 300}) {
      std::vector<std::int64_t> source(static_cast<std::size_t>(rows));
      std::iota(source.begin(), source.end(), 0);
      for (int order = 0; order < 4; ++order) {  // first that they have
        std::vector<int> matrix(static_cast<std::size_t>(rows * width));
        std::iota(matrix.begin(), matrix.end(), 0);
        std::vector<int> expected;
        for (const std::int64_t from : source) {
          expected.insert(expected.end(), matrix.begin() + from * width, matrix.begin() + (from + 1) * width);
        }
        permute_rows(rows, width, matrix.data(), [&](std::int64_t r) { return source[static_cast<std::size_t>(r)]; });
        REQUIRE(matrix == expected);
        std::shuffle(source.begin(), source.end(), random);
      }
    }
  }
}
