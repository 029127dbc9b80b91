#include <algorithm>
#include <array>
#include <bit>
#include <complex>
#include <cstdint>
#include <cstring>
#include <utility>
#include <vector>

#include <catch2/catch.hpp>

#include <tombolo/framework/matrix/transpose_in_place.hpp>
#include <tombolo/platform/error.hpp>

using namespace tombolo;

namespace {

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
std::array<char, sizeof(T)> bits(const T& value) {
  return std::bit_cast<std::array<char, sizeof(T)>>(value);
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

#define TOMBOLO_ELEMENTS float, double, std::complex<float>, std::complex<double>

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
