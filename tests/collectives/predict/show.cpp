#include <catch2/catch.hpp>

#include <tombolo/collectives/predict/show.hpp>
#include <tombolo/models/kinds/hockney/hockney.hpp>

using namespace tombolo;

TEST_CASE("a tree is drawn from the root, for what spreads and for what gathers") {
  const std::string expected =
      "2\n"
      "|- 0\n"
      "|  `- 1\n"
      "`- 3\n";
  CHECK(show_tree(Plan(Request::bcast(4, 2, 10, 8), bcast_binomial)) == expected);
  const std::string gathered =
      "2\n"
      "|- 0\n"
      "|  `- 1\n"
      "`- 3\n";
  CHECK(show_tree(Plan(Request::gatherv(2, Blocks::equal(4, 10), 8), gatherv_binomial)) == gathered);
  CHECK(show_tree(Plan(Request::bcast(1, 0, 10, 8), bcast_chain)) == "0\n");
}

TEST_CASE("what is no tree is shown as everybody's targets") {
  CHECK(show_tree(Plan(Request::barrier(3), barrier_dissemination)) == "0 -> 1 2\n1 -> 2 0\n2 -> 0 1\n");
}

TEST_CASE("the table of a rank has a line for each step") {
  const Plan plan(Request::scatterv(0, Blocks({1, 2, 3, 4}), 8), scatterv_binomial);
  CHECK(show_table(plan, 2) ==
        "rank 2: 2 steps, 4 elements of scratch\n"
        "   0  receive from 0     output[0, 3) scratch[0, 4)\n"
        "   1  send to 3          scratch[0, 4)                         after 0\n");
}

TEST_CASE("the timeline has a row for each rank, as wide as asked for") {
  const Hockney model({.latency = 1'000'000, .rate = 1'000'000'000});
  const Plan plan(Request::bcast(3, 0, 1000, 1), bcast_chain);
  const std::string text = show_timeline(plan, predict(plan, model), 8);
  CHECK(text ==
        "     0 ssss.... 2 us\n"
        "     1 rrrrssss 4 us\n"
        "     2 ....rrrr 4 us\n");
}
