#include <catch2/catch.hpp>

#include <tombolo/collectives/choose/parameter_search.hpp>
#include <tombolo/collectives/predict/predict.hpp>
#include <tombolo/models/kinds/hockney/hockney.hpp>

using namespace tombolo;

namespace {

const Hockney model({.latency = 50'000'000, .rate = 125'000'000});

Plan bcast(const char* algorithm, int ranks, std::int64_t bytes) {
  return {Request::bcast(ranks, 0, bytes, 1), find_algorithm(Operation::bcast, algorithm)};
}

}  // namespace

TEST_CASE("a race to the first gives up what takes longer than the fastest, a race of all does not") {
  const Plan fast = bcast("binomial", 16, 1000);
  const Plan slow = bcast("chain", 16, 1000);
  for (const SearchState::To to : {SearchState::To::all, SearchState::To::first}) {
    SearchState search(to, 16);
    const Picoseconds time = search.predict(fast, model, search.close_look(never));
    CHECK(time == predict(fast, model).makespan);
    CHECK_FALSE(search.gave_up());
    search.confirmed(time);
    CHECK(search.fastest() == time);
    const Picoseconds other = search.predict(slow, model, search.close_look(never));
    CHECK(search.gave_up() == search.to_first());
    CHECK(other == (search.to_first() ? never : predict(slow, model).makespan));
  }
}

TEST_CASE("an algorithm is looked at for a while though another one is faster") {
  SearchState search(SearchState::To::first, 150);
  search.confirmed(1'000'000);
  CHECK(search.close_look(never).limit == 1'500'000);
  CHECK(search.close_look(1'200'000).limit == 1'200'000);
  // 1 % above a 32nd above: so much more counts as equal to a plan in segments where hosts have several ranks.
  CHECK(search.close_look(900'000).limit == 1'041'562);
  search.looked(500'000);
  CHECK(search.quick_look().limit == 1'010'000);
  search.looked(300'000);
  CHECK(search.quick_look().limit == 900'000);
}

TEST_CASE("what a race may spend is bounded, and half of it is kept for close looks") {
  SearchState search(SearchState::To::first, 150);
  const Plan large = bcast("scatter_ring_allgather", 150, 1'000'000);
  int looks = 0;
  while (search.predict(large, model, {.sharing = Sharing::queued}) < never) ++looks;
  CHECK_FALSE(search.gave_up());
  CHECK(looks > 1);
  search.look_closely();
  int more = 0;
  while (search.predict(large, model, {.sharing = Sharing::queued}) < never) ++more;
  CHECK(std::abs(more - looks) <= 1);
  // Where flows share links a message costs more.
  SearchState fair(SearchState::To::first, 150);
  fair.look_closely();
  int close = 0;
  while (fair.predict(large, model, {}) < never) ++close;
  CHECK(close <= looks);
}

TEST_CASE("a race without a limit goes on") {
  SearchState search;
  const Plan plan = bcast("binomial", 64, 1'000'000);
  for (int i = 0; i < 100; ++i) CHECK(search.predict(plan, model, search.quick_look()) < never);
}
