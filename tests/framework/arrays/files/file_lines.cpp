#include <cstdint>
#include <stdexcept>
#include <vector>

#include <catch2/catch.hpp>

#include <tombolo/framework/arrays/files/file_lines.hpp>

using namespace tombolo;

namespace {

/// The places of the elements, line by line.
std::vector<std::int64_t> places(const FileLines& lines) {
  std::vector<std::int64_t> all;
  for (std::int64_t l = 0; l < lines.lines; ++l) {
    for (std::int64_t w = 0; w < lines.width; ++w) all.push_back(lines.first + l * lines.stride + w);
  }
  return all;
}

}  // namespace

TEST_CASE("lines of a file hold every element of a part, in the order of the file") {
  const MatrixShape shape{5, 7};
  for (std::int64_t i = 0; i <= 5; ++i) {
    for (std::int64_t j = 0; j <= 7; ++j) {
      for (std::int64_t rows = 0; i + rows <= 5; ++rows) {
        for (std::int64_t columns = 0; j + columns <= 7; ++columns) {
          const Part part{i, rows, j, columns};
          std::vector<std::int64_t> by_rows;
          std::vector<std::int64_t> by_columns;
          for (std::int64_t r = i; r < i + rows; ++r) {
            for (std::int64_t c = j; c < j + columns; ++c) by_rows.push_back(r * 7 + c);
          }
          for (std::int64_t c = j; c < j + columns; ++c) {
            for (std::int64_t r = i; r < i + rows; ++r) by_columns.push_back(c * 5 + r);
          }
          for (const bool fortran : {false, true}) {
            const FileLines lines = lines_of(part, shape, fortran);
            REQUIRE(places(lines) == (fortran ? by_columns : by_rows));
            REQUIRE(places(joined(lines)) == places(lines));
          }
        }
      }
    }
  }
}

TEST_CASE("lines without gaps are one") {
  CHECK(joined(lines_of({1, 3, 0, 7}, {5, 7}, false)) == FileLines{7, 1, 21, 21});
  CHECK(joined(lines_of({0, 5, 2, 3}, {5, 7}, true)) == FileLines{10, 1, 15, 15});
  CHECK(joined(lines_of({1, 1, 2, 3}, {5, 7}, false)) == FileLines{9, 1, 3, 3});
  CHECK(joined(lines_of({1, 2, 2, 3}, {5, 7}, false)) == FileLines{9, 2, 3, 7});
}

TEST_CASE("parts that the matrix does not have have no lines") {
  for (const Part& part : {Part{-1, 1, 0, 1}, Part{0, 6, 0, 1}, Part{5, 1, 0, 1}, Part{0, -1, 0, 1}, Part{0, 1, 3, 5},
                           Part{0, 1, -2, 1}, Part{0, 1, 8, 0}}) {
    CHECK_THROWS_AS(lines_of(part, {5, 7}, false), std::out_of_range);
    CHECK_THROWS_AS(lines_of(part, {5, 7}, true), std::out_of_range);
  }
  constexpr std::int64_t large = std::int64_t{1} << 30;
  CHECK(lines_of({large - 1, 1, 0, large}, {large, large}, false).first == (large - 1) * large);
}
