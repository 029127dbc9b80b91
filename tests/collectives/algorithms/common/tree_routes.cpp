// What schedules over trees and packing take: room for what a window lets come in, channels shared among children only.

#include <algorithm>
#include <set>

#include <catch2/catch.hpp>

#include <tombolo/collectives/plan/plan.hpp>
#include <tombolo/collectives/prove/prove.hpp>

using namespace tombolo;

namespace {

// The channels of a rank's messages of one kind.
std::set<int> channels(const Schedule& schedule, Step::Kind kind) {
  std::set<int> found;
  for (const Step& step : schedule.steps()) {
    if (step.kind == kind) found.insert(step.channel);
  }
  return found;
}

}  // namespace

TEST_CASE("a reduction takes room for what its window lets come in, and never for more than two vectors or 1 MiB") {
  const Request request = Request::reduce(9, 0, 1'000'000, 8);
  const auto scratch = [&](const Algorithm& algorithm, const Parameters& parameters) {
    return prove(Plan(request, algorithm, parameters)).largest_scratch;
  };
  CHECK(scratch(reduce_chain, {.segment_bytes = 80'000, .window = 1}) == 30'000);
  CHECK(scratch(reduce_chain, {.segment_bytes = 80'000, .window = 5}) == 70'000);
  CHECK(scratch(reduce_flat, {.segment_bytes = 80'000, .window = 1}) == 100'000);
  CHECK(scratch(reduce_chain, {.segment_bytes = 80'000}) == 1'000'000);
  CHECK(scratch(reduce_flat, {.segment_bytes = 80'000}) == 2'000'000);
  CHECK(scratch(reduce_flat, {}) == 2'000'000);
  CHECK(scratch(reduce_chain, {.segment_bytes = 80'000, .window = 1000}) == 1'000'000);
  // Eight short vectors come in at a time.
  CHECK(prove(Plan(Request::reduce(9, 0, 1000, 8), reduce_flat)).largest_scratch == 8000);
}

TEST_CASE("the root's last child sends into the output, so that nothing is copied there") {
  const auto copies = [](const Request& request) {
    const Schedule root = Plan(request, reduce_binomial).schedule(request.root);
    return std::count_if(root.steps().begin(), root.steps().end(),
                         [](const Step& step) { return step.kind == Step::Kind::copy; });
  };
  CHECK(copies(Request::reduce(8, 3, 100, 8)) == 0);
  CHECK(copies(Request::reduce(8, 3, 100, 8).with_in_place(true)) == 0);
  CHECK(copies(Request::reduce(8, 0, 100, 8, false)) == 0);
  CHECK(copies(Request::reduce(8, 0, 100, 8, false).with_in_place(true)) == 1);
}

TEST_CASE("children share a lane where lanes are per rank, parents never do") {
  const Parameters shared{.segment_bytes = 80, .window = 2, .channels = Channels::per_rank};
  const Parameters apart{.segment_bytes = 80, .window = 2};
  const Request bcast = Request::bcast(16, 0, 1000, 8);
  const Request reduce = Request::reduce(16, 0, 1000, 8);
  // The first rank after the root is an inner place of one tree of three and a leaf of the others.
  for (const auto& [parameters, to_children] : {std::pair{shared, 1}, std::pair{apart, 3}}) {
    const Schedule down = Plan(bcast, bcast_disjoint_trees, parameters).schedule(1);
    CHECK(channels(down, Step::Kind::send).size() == static_cast<std::size_t>(to_children));
    CHECK(channels(down, Step::Kind::receive).size() == 3);
    const Schedule up = Plan(reduce, reduce_disjoint_trees, parameters).schedule(1);
    CHECK(channels(up, Step::Kind::receive).size() == static_cast<std::size_t>(to_children));
    CHECK(channels(up, Step::Kind::send).size() == 3);
  }
  CHECK(channels(Plan(bcast, bcast_disjoint_trees, {.segment_bytes = 80}).schedule(1), Step::Kind::send) ==
        std::set<int>{0});
}

TEST_CASE("blocks on their way down a tree leave before the last of them has come") {
  // Segments of one block each: what rank 1 of a chain sends first waits for what it receives first, and no more.
  const Request request = Request::scatterv(0, Blocks::equal(4, 10), 8);
  const Schedule second = Plan(request, scatterv_chain, {.segment_bytes = 80}).schedule(1);
  REQUIRE(second.size() == 5);
  const Step& first_sent = second.step(3);
  REQUIRE(first_sent.kind == Step::Kind::send);
  CHECK(second.after(first_sent).size() == 1);
  CHECK(second.after(first_sent).front() == 0);
}
