#include <catch2/catch.hpp>

#include <tombolo/collectives/predict/longest_chain.hpp>

using namespace tombolo;

TEST_CASE("the longest chain of messages is the depth of a tree, and a pipeline's segments after it") {
  CHECK(longest_chain(Plan(Request::bcast(8, 3, 100, 1), bcast_flat)) == 1);
  CHECK(longest_chain(Plan(Request::bcast(8, 3, 100, 1), bcast_binomial)) == 3);
  CHECK(longest_chain(Plan(Request::bcast(8, 3, 100, 1), bcast_chain)) == 7);
  CHECK(longest_chain(Plan(Request::bcast(8, 3, 100, 1), bcast_chain, {.segment_bytes = 10, .window = 1})) == 7 + 9);
  CHECK(longest_chain(Plan(Request::barrier(9), barrier_dissemination)) == 4);
  CHECK(longest_chain(Plan(Request::bcast(1, 0, 100, 1), bcast_flat)) == 0);
}
