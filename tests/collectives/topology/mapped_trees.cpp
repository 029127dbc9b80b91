#include <catch2/catch.hpp>

#include <tombolo/collectives/plan/algorithm.hpp>
#include <tombolo/collectives/plan/plan.hpp>

#include "collectives/random_trees.hpp"

using namespace tombolo;

namespace {

const RankTree flat({1, 0, 2}, {-1, 0, 0});
const RankTree chain({1, 2, 0}, {-1, 0, 1});

}  // namespace

TEST_CASE("trees are equal by what they are") {
  const MappedTrees one("one", flat);
  CHECK(one == MappedTrees("another name", flat));
  CHECK_FALSE(one == MappedTrees("one", chain));
  CHECK_FALSE(one == MappedTrees("one", {{flat, 2}}));
  CHECK_FALSE(one == MappedTrees());
  CHECK(MappedTrees() == MappedTrees());
  CHECK(MappedTrees().empty());
  CHECK(one.name() == "one");
  CHECK(MappedTrees(one) == one);
}

TEST_CASE("shares repeat after the sum of the weights in their lowest terms, or so it is taken") {
  const auto period = [](std::int64_t a, std::int64_t b) { return MappedTrees("", {{flat, a}, {chain, b}}).period(); };
  CHECK(period(1, 1) == 2);
  CHECK(period(30, 20) == 5);
  CHECK(period(1'000'003, 1) == 2);
  CHECK(period(std::int64_t{1} << 62, std::int64_t{1} << 62) == 2);
}

TEST_CASE("what trees cannot be is refused") {
  CHECK_THROWS_WITH(MappedTrees("", std::vector<MappedTrees::Weighted>{}), Catch::Contains("no trees"));
  CHECK_THROWS_WITH(MappedTrees("", {{flat, 0}}), Catch::Contains("weight 0"));
  CHECK_THROWS_WITH(MappedTrees("", {{flat, 1, {1, 2}}}), Catch::Contains("2 long links of 3 places"));
  CHECK_THROWS_WITH(MappedTrees("", {{flat, 1, {1, 2, -1}}}), Catch::Contains("long links"));
  CHECK_THROWS_WITH(MappedTrees("", {{flat, 1}, {RankTree({0}, {-1}), 1}}), Catch::Contains("over 3 and over 1"));
}

TEST_CASE("what must be under way on a long link adds to the window of its lane, of all trees together") {
  const MappedTrees trees("", {{flat, 1, {0, 200, 0}}, {chain, 1, {0, 50, 1000}}});
  const Request request = Request::bcast(3, 1, 1000, 8);
  const Schedule top = Plan(request, bcast_mapped, {.segment_bytes = 80, .window = 2, .trees = trees}).schedule(1);
  // To 0 over 200 bytes, to 2 over 50, in whole segments.
  CHECK(std::vector<int>(top.windows().begin(), top.windows().end()) == std::vector<int>{0, 4, 2});
  const Schedule whole = Plan(request, bcast_mapped, {.window = 2, .trees = trees}).schedule(1);
  CHECK(std::vector<int>(whole.windows().begin(), whole.windows().end()) == std::vector<int>{0, 2, 2});
}

TEST_CASE("a plan takes trees that fit its request and its algorithm, and no others") {
  const MappedTrees one("one", flat);
  const MappedTrees two("two", {{flat, 1}, {chain, 2}});
  const MappedTrees tops("tops", RankTree({1, 0, 2}, {-1, 0, -1}));
  CHECK(Plan(Request::bcast(3, 1, 10, 8), bcast_mapped, {.trees = one}).how() == "mapped, tree: one");
  CHECK(Plan(Request::reduce(3, 1, 10, 8), reduce_mapped, {.trees = two}).how() == "mapped, 2 trees: two");
  CHECK_NOTHROW(Plan(Request::allreduce(3, 10, 8), allreduce_mapped, {.trees = two}));
  CHECK_NOTHROW(Plan(Request::barrier(3), barrier_leaders, {.trees = tops}));
  const auto refused = [](const Request& request, const Algorithm& algorithm, const MappedTrees& trees,
                          const char* words) {
    CHECK_THROWS_WITH(Plan(request, algorithm, {.trees = trees}), Catch::Contains(words));
  };
  refused(Request::bcast(4, 1, 10, 8), bcast_mapped, one, "over 3 of 4 ranks");
  refused(Request::bcast(3, 0, 10, 8), bcast_mapped, one, "1 instead of the root 0");
  refused(Request::bcast(3, 1, 10, 8), bcast_mapped, tops, "2 tops");
  refused(Request::bcast(3, 1, 10, 8), bcast_chain, one, "does not heed");
  refused(Request::scatterv(1, Blocks::equal(3, 4), 8), scatterv_mapped, two, "of which there are 2");
  refused(Request::gatherv(0, Blocks::equal(3, 4), 8), gatherv_mapped, one, "instead of the root 0");
  refused(Request::barrier(3), barrier_leaders, two, "of which there are 2");
}
