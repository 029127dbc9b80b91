#include <catch2/catch.hpp>

#include <tombolo/collectives/longest_chain.hpp>

using namespace tombolo;

TEST_CASE("the longest chain of messages is the depth of a tree, and a pipeline's segments after it") {
  CHECK(longest_chain(Plan(Request::bcast(8, 3, 100, 1), bcast_flat)) == 1);
  CHECK(longest_chain(Plan(Request::bcast(8, 3, 100, 1), bcast_binomial)) == 3);
  CHECK(longest_chain(Plan(Request::bcast(8, 3, 100, 1), bcast_chain)) == 7);
  CHECK(longest_chain(Plan(Request::bcast(8, 3, 100, 1), bcast_chain, {.segment_bytes = 10, .window = 1})) == 7 + 9);
  CHECK(longest_chain(Plan(Request::barrier(9), barrier_dissemination)) == 4);
  CHECK(longest_chain(Plan(Request::bcast(1, 0, 100, 1), bcast_flat)) == 0);
}

TEST_CASE("learning counts makes a chain longer") {
  const Request request = Request::gatherv(0, Blocks::equal(8, 3), 1);
  const int known = longest_chain(Plan(request, gatherv_binomial));
  CHECK(longest_chain(Plan(request.knowing(Knowledge::as_in_mpi), gatherv_binomial)) > known);
}
