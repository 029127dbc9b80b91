#include <algorithm>
#include <cmath>
#include <complex>
#include <vector>

#include <catch2/catch.hpp>

#include <tombolo/framework/matrix/random_matrix.hpp>
#include <tombolo/units.hpp>

#include "framework/elements.hpp"

using namespace tombolo;

namespace {

template <class T>
std::vector<T> matrix(std::uint64_t seed, std::uint64_t stream, std::int64_t first, std::int64_t rows,
                      std::int64_t columns) {
  std::vector<T> values(static_cast<std::size_t>(rows * columns));
  fill_random(seed, stream, first, rows, columns, values.data());
  return values;
}

}  // namespace

TEST_CASE("generated bits are those of splitmix64") {
  // The published sequence of splitmix64 from state 0 begins so; its state is advanced before it is mixed.
  CHECK(mix64(golden_gamma) == 0xe220a8397b1dcdafU);
  CHECK(mix64(2 * golden_gamma) == 0x6e789e6aa1b965f4U);
  CHECK(mix64(3 * golden_gamma) == 0x06c45d188009454fU);
}

TEMPLATE_TEST_CASE("a matrix is the same in whatever slices and widths it is made", "", float, double) {
  const auto whole = matrix<TestType>(42, 3, 0, 60, 37);
  for (const std::int64_t rows : {1, 2, 3, 5, 8, 59}) {
    std::vector<TestType> joined;
    for (std::int64_t first = 0; first < 60; first += rows) {
      const auto slice = matrix<TestType>(42, 3, first, std::min(rows, 60 - first), 37);
      joined.insert(joined.end(), slice.begin(), slice.end());
    }
    REQUIRE(joined == whole);
  }
  const auto wider = matrix<TestType>(42, 3, 0, 60, 90);
  for (std::size_t i = 0; i < 60; ++i) {
    REQUIRE(std::equal(&whole[i * 37], &whole[i * 37] + 37, &wider[i * 90]));
  }
}

TEST_CASE("a generated matrix never changes") {
  // Written down once: a new compiler, machine or version must give these.
  const auto d = matrix<double>(42, 7, 5, 1, 3);
  CHECK(d == std::vector<double>{-0x1.b6b0d65893736p-1, -0x1.39ba47081649cp-1, -0x1.4eb4dba804c80p-5});
  const auto f = matrix<float>(42, 7, 5, 1, 3);
  for (std::size_t j = 0; j < 3; ++j) CHECK(static_cast<double>(f[j]) == std::floor(d[j] * 0x1p23) * 0x1p-23);
}

TEMPLATE_TEST_CASE("generated values are uniform in [-1, 1)", "", float, double) {
  const auto values = matrix<TestType>(1, 0, 0, 400, 500);
  std::vector<int> counts(20, 0);
  double sum = 0;
  double neighbours = 0;
  double below = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const auto x = static_cast<double>(values[i]);
    if (!(x >= -1 && x < 1)) FAIL("value " << x);
    ++counts[static_cast<std::size_t>((x + 1) * 10)];
    sum += x;
    if (i + 1 < values.size()) neighbours += x * static_cast<double>(values[i + 1]);
    if (i + 500 < values.size()) below += x * static_cast<double>(values[i + 500]);
  }
  // Five standard deviations: of a count sqrt(N p (1 - p)) = 97, of a sum sqrt(N / 3) = 258, of products sqrt(N) / 3 =
  // 149.
  for (const int count : counts) CHECK(std::abs(count - 10'000) < 490);
  CHECK(std::abs(sum) < 1290);
  CHECK(std::abs(neighbours) < 745);
  CHECK(std::abs(below) < 745);
}

TEMPLATE_TEST_CASE("any part is that of the matrix, by rows and by columns", "", TOMBOLO_ELEMENTS) {
  constexpr std::int64_t m = 1500;  // more than the rows that are done at a time
  constexpr std::int64_t n = 23;
  const auto whole = matrix<TestType>(42, 3, 0, m, n);
  for (const Part& part : {Part{0, m, 0, n}, {7, 1400, 5, 11}, {3, 1, 0, n}, {0, m, 22, 1}, {9, 0, 4, 5}}) {
    std::vector<TestType> by_rows(static_cast<std::size_t>(part.elements()));
    auto by_columns = by_rows;
    fill_random(42, 3, part, false, by_rows.data());
    fill_random(42, 3, part, true, by_columns.data());
    bool same = true;
    for (std::int64_t i = 0; i < part.rows; ++i) {
      for (std::int64_t j = 0; j < part.columns; ++j) {
        const auto expected = whole[static_cast<std::size_t>((part.first_row + i) * n + part.first_column + j)];
        same = same && by_rows[static_cast<std::size_t>(i * part.columns + j)] == expected &&
               by_columns[static_cast<std::size_t>(j * part.rows + i)] == expected;
      }
    }
    CHECK(same);
  }
}

TEST_CASE("complex elements are pairs of real ones") {
  const auto pairs = matrix<double>(42, 3, 2, 5, 14);
  const auto values = matrix<std::complex<double>>(42, 3, 2, 5, 7);
  for (std::size_t i = 0; i < values.size(); ++i) {
    REQUIRE(values[i] == std::complex(pairs[2 * i], pairs[2 * i + 1]));
  }
}

TEST_CASE("seeds, streams and rows give different matrices") {
  const auto base = matrix<double>(1, 0, 0, 1, 1000);
  for (const auto& other : {matrix<double>(2, 0, 0, 1, 1000), matrix<double>(1, 1, 0, 1, 1000),
                            matrix<double>(0, 1, 0, 1, 1000), matrix<double>(1, 0, 1, 1, 1000)}) {
    double product = 0;
    for (std::size_t j = 0; j < base.size(); ++j) product += base[j] * other[j];
    CHECK(std::abs(product) < 5 * std::sqrt(1000.0) / 3);  // uncorrelated; equal ones would give 333
    CHECK(
        std::none_of(base.begin(), base.end(), [&](double x) { return x == other[0]; }));  // not the same ones, shifted
  }
}

TEST_CASE("an empty fill writes nothing, a negative one is an error") {
  double untouched = 7;
  fill_random(1, 0, 3, 0, 5, &untouched);
  fill_random(1, 0, 3, 5, 0, &untouched);
  CHECK(untouched == 7);
  CHECK_THROWS_AS(fill_random(1, 0, -1, 1, 1, &untouched), Error);
  CHECK_THROWS_AS(fill_random(1, 0, 0, -1, 1, &untouched), Error);
  CHECK_THROWS_AS(fill_random(1, 0, 0, 1, -1, &untouched), Error);
}
