#include <catch2/catch.hpp>

#include <tombolo/collectives/request/request.hpp>
#include <tombolo/units.hpp>

using namespace tombolo;

TEST_CASE("blocks follow one another") {
  const Blocks blocks({3, 0, 5});
  CHECK(blocks.size() == 3);
  CHECK(blocks.offset(0) == 0);
  CHECK(blocks.offset(2) == 3);
  CHECK(blocks.total() == 8);
  CHECK(Blocks::equal(4, 7).offset(3) == 21);
  CHECK(Blocks::equal(4, 7).total() == 28);
  CHECK(Blocks().total() == 0);
}

TEST_CASE("equal blocks are equal however they were made") {
  CHECK(Blocks::equal(3, 5) == Blocks({5, 5, 5}));
  CHECK_FALSE(Blocks::equal(3, 5) == Blocks({5, 5, 4}));
  CHECK_FALSE(Blocks::equal(3, 5) == Blocks::equal(4, 5));
  CHECK(Blocks({1, 2}).times(6) == Blocks({2, 4}).times(3));
  CHECK(Blocks({1, 2}).times(0) == Blocks::equal(2, 0));
}

TEST_CASE("blocks several times as long") {
  const Blocks blocks = Blocks({3, 0, 5}).times(4);
  CHECK(blocks == Blocks({12, 0, 20}));
  CHECK(blocks.offset(2) == 12);
  CHECK(blocks.total() == 32);
  CHECK(blocks.times(2).total() == 64);
  CHECK(Blocks::equal(3, 5).times(2) == Blocks::equal(3, 10));
  CHECK(Blocks({0, 0}).times(std::int64_t{1} << 62).times(std::int64_t{1} << 62).total() == 0);
  CHECK_THROWS_AS(Blocks({1, 2}).times(-1), Error);
  CHECK_THROWS_AS(Blocks({1, std::int64_t{1} << 59}).times(2), Error);
  CHECK_THROWS_AS(Blocks({1, Blocks::unknown}).times(2), UnknownCount);
}

TEST_CASE("a count that is not known cannot be used") {
  const Blocks blocks({3, Blocks::unknown, 5});
  CHECK(blocks.count(2) == 5);
  CHECK(blocks.offset(1) == 3);
  CHECK_FALSE(blocks.known(1));
  CHECK_THROWS_AS(blocks.count(1), UnknownCount);
  CHECK_THROWS_AS(blocks.offset(2), UnknownCount);
  CHECK_THROWS_AS(blocks.total(), UnknownCount);
}

TEST_CASE("counts that no memory holds are refused, not overflowed") {
  CHECK_THROWS_AS(Blocks({-2}), Error);
  CHECK_THROWS_AS(Blocks({std::int64_t{1} << 62, 1}), Error);
  CHECK_THROWS_AS(Blocks::equal(1 << 20, std::int64_t{1} << 50), Error);
  CHECK_THROWS_AS(Request::bcast(2, 0, std::int64_t{1} << 60, 16), Error);
  CHECK_THROWS_AS(Request::bcast(2, 0, -1, 8), Error);
  CHECK_THROWS_AS(Request::bcast(2, 2, 1, 8), Error);
  CHECK_THROWS_AS(Request::barrier(0), Error);
}

TEST_CASE("an exchange gives a rank its row and its column") {
  const AlltoallCounts exchange = AlltoallCounts::matrix({{1, 2, 3}, {4, 5, 6}, {7, 8, 9}});
  CHECK(exchange.sends(1) == Blocks({4, 5, 6}));
  CHECK(exchange.receives(1) == Blocks({2, 5, 8}));
  const AlltoallCounts mine = exchange.seen_by(1);
  CHECK(mine.sends(1) == exchange.sends(1));
  CHECK_THROWS_AS(mine.sends(0), UnknownCount);
  CHECK(AlltoallCounts::equal(3, 4).sends(2) == Blocks({4, 4, 4}));
  CHECK(exchange.largest() == 9);
  CHECK(mine.largest() == 0);
  CHECK(AlltoallCounts::equal(3, 4).largest() == 4);
  CHECK(AlltoallCounts::product(Blocks({2, 0, 3}), Blocks({5, 1, 0})).largest() == 15);
  CHECK(AlltoallCounts().largest() == 0);
  CHECK_THROWS_AS(AlltoallCounts::matrix({{1, 2}, {3}}), Error);
}

TEST_CASE("an exchange that is a product gives the same rows and columns as the matrix") {
  const AlltoallCounts product = AlltoallCounts::product(Blocks({2, 0, 3}), Blocks({5, 1, 0}));
  const AlltoallCounts matrix = AlltoallCounts::matrix({{10, 2, 0}, {0, 0, 0}, {15, 3, 0}});
  for (const Rank rank : {0, 1, 2}) {
    CHECK(product.sends(rank) == matrix.sends(rank));
    CHECK(product.receives(rank) == matrix.receives(rank));
    CHECK(product.seen_by(rank) == matrix.seen_by(rank));
  }
  CHECK(product == AlltoallCounts::product(Blocks({2, 0, 3}), Blocks({5, 1, 0})));
  CHECK_FALSE(product == AlltoallCounts::product(Blocks({2, 0, 3}), Blocks({5, 1, 1})));
  CHECK_FALSE(product == AlltoallCounts::product(Blocks({5, 1, 0}), Blocks({2, 0, 3})));
  CHECK_THROWS_AS(AlltoallCounts::product(Blocks({1, 2}), Blocks({1})), Error);
  CHECK_THROWS_AS(AlltoallCounts::product(Blocks({1, 1 << 30}), Blocks::equal(2, 1 << 30)), Error);
}

TEST_CASE("an exchange that all ranks know stays whole; as in MPI, each sees its own counts only") {
  const Request everywhere = Request::alltoallv(2, AlltoallCounts::product(Blocks({1, 2}), Blocks({3, 4})), 8);
  CHECK(everywhere.seen_by(1) == everywhere);
  const Request as_in_mpi = everywhere.knowing(Knowledge::as_in_mpi).seen_by(1);
  CHECK(as_in_mpi.exchange.receives(1) == Blocks({4, 8}));
  CHECK_THROWS_AS(as_in_mpi.exchange.sends(0), UnknownCount);
}

TEST_CASE("ranks other than the root see their own count only, where MPI gives them no more") {
  const Request everywhere = Request::gatherv(0, Blocks({1, 2, 3}), 8);
  CHECK(everywhere.seen_by(1) == everywhere);
  const Request as_in_mpi = everywhere.knowing(Knowledge::as_in_mpi);
  CHECK(as_in_mpi.seen_by(0) == as_in_mpi);
  CHECK(as_in_mpi.seen_by(2).blocks.count(2) == 3);
  CHECK_THROWS_AS(as_in_mpi.seen_by(2).blocks.count(0), UnknownCount);
}
