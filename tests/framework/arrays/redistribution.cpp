#include <catch2/catch.hpp>

#include <tombolo/framework/arrays/redistribution.hpp>
#include <tombolo/units.hpp>

using namespace tombolo;
using Catch::Matchers::Contains;
using Shares = std::vector<std::int64_t>;

TEST_CASE("each pair of distributions becomes the operation that does it") {
  const MatrixShape shape{30, 20};
  const auto root = Distribution::at(1, shape, 3);
  const auto other = Distribution::at(2, shape, 3);
  const auto all = Distribution::everywhere(shape, 3);
  const auto rows = Distribution::rows(Shares{10, 15, 5}, 20);
  const auto others = Distribution::rows(Shares{12, 8, 10}, 20);
  const auto columns = Distribution::columns(30, Shares{5, 10, 5});
  const auto one = Distribution::rows(Shares{0, 30, 0}, 20);
  const auto operation = [](const Distribution& from, const Distribution& to) {
    return Redistribution(from, to).operation();
  };
  for (const auto& to : {root, all, rows, columns}) CHECK_FALSE(operation(all, to));
  for (const auto& same : {root, rows, columns}) CHECK_FALSE(operation(same, same));
  CHECK_FALSE(operation(root, one));
  CHECK(operation(root, all) == Operation::bcast);
  CHECK(operation(one, all) == Operation::bcast);
  CHECK(operation(root, rows) == Operation::scatterv);
  CHECK(operation(root, other) == Operation::scatterv);
  CHECK(operation(rows, root) == Operation::gatherv);
  CHECK(operation(columns, one) == Operation::gatherv);
  CHECK(operation(rows, all) == Operation::allgatherv);
  CHECK(operation(rows, others) == Operation::alltoallv);
  CHECK(operation(rows, columns) == Operation::alltoallv);
  CHECK_FALSE(Redistribution(rows, Distribution::columns(20, Shares{10, 15, 5}), true).operation());
}

TEST_CASE("where shares change each rank may know its own counts only") {
  const auto rows = Distribution::rows(Shares{10, 15, 5}, 20);
  const Redistribution moves(rows, Distribution::rows(Shares{12, 8, 10}, 20));
  CHECK(moves.in_bands());
  CHECK_FALSE(Redistribution(rows, Distribution::columns(30, Shares{5, 10, 5})).in_bands());
  for (Rank rank = 0; rank < 3; ++rank) {
    const Request all = *moves.request(rank, 8);
    const Request own = *moves.request(rank, 8, Knowledge::as_in_mpi);
    CHECK((all.knowledge == Knowledge::everywhere && own.knowledge == Knowledge::as_in_mpi));
    CHECK(own.exchange == all.exchange.seen_by(rank));
  }
  CHECK(moves.request(1, 8)->exchange.sends(1) == Blocks({40, 160, 100}));
}

TEST_CASE("what is beyond 2^31 elements is counted as any other") {
  const std::int64_t large = std::int64_t{1} << 40;
  const auto rows = Distribution::rows(Shares{large, 0, large + 3}, 1000);
  const Redistribution moves(rows, Distribution::columns(2 * large + 3, Shares{1, 900, 99}));
  CHECK(moves.request(0, 8)->exchange.sends(0).count(1) == large * 900);
  CHECK(moves.keeps(0) == large);
  CHECK(Redistribution(rows, Distribution::everywhere(rows.shape(), 3)).receives(1) == (2 * large + 3) * 1000);
}

TEST_CASE("what does not match is refused, with its values") {
  const auto rows = Distribution::rows(Shares{10, 15}, 20);
  CHECK_THROWS_WITH(Redistribution(rows, Distribution::at(0, {20, 25}, 2)),
                    Contains("20 x 25 as one of 25 x 20") && Contains("of a matrix of 25 x 20"));
  CHECK_THROWS_WITH(Redistribution(rows, rows, true), Contains("25 x 20 as the transpose of one of 25 x 20"));
  CHECK_THROWS_WITH(Redistribution(rows, Distribution::at(0, {25, 20}, 3)), Contains("on 2 ranks to be moved to 3"));
}
