#include <algorithm>
#include <cstdint>
#include <numeric>
#include <random>
#include <vector>

#include <catch2/catch.hpp>

#include <tombolo/framework/matrix/permute_rows.hpp>

using tombolo::permute_rows;

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
