#include <cstdint>

#include <catch2/catch.hpp>

#include <tombolo/framework/arrays/product/block_plan.hpp>

using namespace tombolo;

namespace {

/// Of a rank that holds parts of A, B and C, and nothing else.
double needed(const GemmShape& product, const MatrixShape& block) {
  const auto [h, w] = block;
  return 8.0 * static_cast<double>(h * product.k + product.k * w + h * w);
}

BlockNeeds needs_of(const GemmShape& product, int ranks) {
  const MatrixShape smallest = smallest_block(product, ranks);
  return {.smallest = needed(product, smallest),
          .high = needed(product, {product.m, smallest.columns}),
          .wide = needed(product, {smallest.rows, product.n}),
          .whole = needed(product, {product.m, product.n})};
}

std::int64_t times(std::int64_t all, std::int64_t block) {
  return (all - 1) / block + 1;
}

/// What is read and moved, in elements for each index of the inner dimension.
std::int64_t moved(const GemmShape& product, const MatrixShape& block) {
  return times(product.m, block.rows) * product.n + times(product.n, block.columns) * product.m;
}

}  // namespace

TEST_CASE("blocks of products fit, and no other blocks that fit move less") {
  for (const GemmShape& product : {GemmShape{700, 900, 800}, GemmShape{5000, 300, 40}, GemmShape{300, 5000, 1000},
                                   GemmShape{1, 3000, 20}, GemmShape{3000, 1, 20}, GemmShape{2000, 2000, 1}}) {
    const BlockNeeds needs = needs_of(product, 2);
    for (const double share : {0.05, 0.1, 0.25, 0.5, 0.9, 1.0}) {
      INFO(product.m << " x " << product.k << " x " << product.n << ", " << share);
      const double most = needs.smallest + share * (needs.whole - needs.smallest);
      const MatrixShape block = plan_block(product, 2, needs, most);
      const MatrixShape smallest = smallest_block(product, 2);
      CHECK(needed(product, block) <= most * (1 + 1e-12));
      CHECK(block.rows >= smallest.rows / 2);  // evened
      CHECK(block.columns >= smallest.columns);
      CHECK((share < 1 || block == MatrixShape{product.m, product.n}));
      for (std::int64_t columns = 1; columns <= product.n / smallest.columns; ++columns) {
        for (std::int64_t rows = 1; rows <= product.m / smallest.rows; ++rows) {
          const MatrixShape other{(product.m - 1) / rows + 1, (product.n - 1) / columns + 1};
          if (needed(product, other) <= most) REQUIRE(moved(product, other) >= moved(product, block));
        }
      }
    }
  }
}

TEST_CASE("products whose smallest blocks need too much get these") {
  const GemmShape product{1000, 1000, 1000};
  CHECK(smallest_block(product, 3) == MatrixShape{96, 256});
  CHECK(plan_block(product, 3, needs_of(product, 3), 1) == smallest_block(product, 3));
  CHECK(smallest_block({5, 7, 3}, 3) == MatrixShape{5, 7});
  CHECK(plan_block({0, 9, 3}, 3, {}, 1) == MatrixShape{0, 9});
  CHECK(plan_block({9, 0, 3}, 3, {}, 1) == MatrixShape{9, 0});
}

TEST_CASE("blocks of rows alone where B fits, of both where it does not") {
  const GemmShape tall{100'000, 500, 500};
  CHECK(plan_block(tall, 2, needs_of(tall, 2), 8 * (500.0 * 500 + 10'000 * 1000.0)) == MatrixShape{10'000, 500});
  const GemmShape square{10'000, 10'000, 10'000};
  const MatrixShape block = plan_block(square, 2, needs_of(square, 2), 8e8 * 0.3);
  CHECK(times(10'000, block.rows) >= 6);
  CHECK(times(10'000, block.columns) >= 6);
  // Dimensions of which products of sizes would overflow.
  const std::int64_t large = std::int64_t{1} << 50;
  const MatrixShape narrow = plan_block({large, 1, 1}, 2, {1e3, 1e19, 1e3, 1e19}, 1e9);
  CHECK(narrow.columns == 1);
  CHECK(narrow.rows > 90'000);
}
