// All schedules of few ranks and small blocks under Hockney's model, against the bounds: none ends before its bound.
#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <functional>
#include <set>
#include <utility>
#include <vector>

#include <catch2/catch.hpp>

#include <tombolo/collectives/predict/lower_bound.hpp>

using namespace tombolo;

namespace {

// One bit for each thing that a rank may have: a block, or a partial result.
using Things = std::uint64_t;

struct Message {
  Things things = 0;
  int size = 0;  // elements
};

// What ranks have and want, and what one of them may send. Things of one size: an element each.
struct Problem {
  std::vector<Things> have;
  std::vector<Things> want;
  std::function<std::vector<Message>(Things have)> messages;
  std::function<Things(Things have)> combined;           // all that can be made of things
  std::function<int(Things have, Things want)> missing;  // elements to receive at least
  bool ranks_alike = false;                              // all but rank 0
};

// Depth first over the decisions of ranks whose port is free, in the order of time. A rank decides when something
// arrives or a port gets free; ports receive in the order of starts, as in the predictor.
class Search {
 public:
  Search(const Problem& problem, int latency, int limit) : problem_(problem), latency_(latency), limit_(limit) {}

  bool finds_a_schedule() {
    State start{.have = problem_.have};
    start.out_free.assign(start.have.size(), 0);
    start.in_free.assign(start.have.size(), 0);
    return decide(start, 0, 0);
  }

 private:
  struct Flying {
    int arrival = 0;
    int to = 0;
    Things things = 0;
    auto operator<=>(const Flying&) const = default;
  };
  struct State {
    std::vector<Things> have;
    std::vector<int> out_free = {};
    std::vector<int> in_free = {};
    std::vector<Flying> flying = {};
  };
  using Key = std::vector<std::int64_t>;

  bool done(const State& state) const {
    for (std::size_t r = 0; r < state.have.size(); ++r) {
      if ((state.have[r] & problem_.want[r]) != problem_.want[r]) return false;
    }
    return true;
  }

  bool hopeless(const State& state, int now) const {
    for (std::size_t r = 0; r < state.have.size(); ++r) {
      Things soon = state.have[r];
      for (const Flying& message : state.flying) {
        if (message.to == static_cast<int>(r)) soon |= message.things;
      }
      const int missing = problem_.missing(problem_.combined(soon), problem_.want[r]);
      const int end = std::max(now, state.in_free[r]) + (missing > 0 ? latency_ + missing : 0);
      if (end > limit_ && missing > 0) return true;
    }
    return false;
  }

  Key key(const State& state, int now) const {
    std::vector<Key> ranks;
    for (std::size_t r = 0; r < state.have.size(); ++r) {
      Key one = {static_cast<std::int64_t>(state.have[r]), std::max(state.out_free[r] - now, 0),
                 std::max(state.in_free[r] - now, 0)};
      for (const Flying& message : state.flying) {
        if (message.to != static_cast<int>(r)) continue;
        one.push_back(message.arrival - now);
        one.push_back(static_cast<std::int64_t>(message.things));
      }
      ranks.push_back(std::move(one));
    }
    if (problem_.ranks_alike) std::sort(ranks.begin() + 1, ranks.end());
    Key all = {now};
    for (const Key& one : ranks) {
      all.push_back(-1);
      all.insert(all.end(), one.begin(), one.end());
    }
    return all;
  }

  // Decisions of ranks from `rank` on at time `now`.
  bool decide(const State& state, int now, std::size_t rank) {
    if (rank == 0 && (hopeless(state, now) || !seen_.insert(key(state, now)).second)) return false;
    if (done(state)) return true;
    if (rank == state.have.size()) return advance(state, now);
    if (state.out_free[rank] <= now) {
      for (const Message& message : problem_.messages(state.have[rank])) {
        for (std::size_t to = 0; to < state.have.size(); ++to) {
          if (to == rank || (message.things & ~state.have[to]) == 0) continue;
          const int takes = latency_ + message.size;
          State next = state;
          next.out_free[rank] = now + takes;
          next.in_free[to] = std::max(next.in_free[to], now) + takes;
          if (next.in_free[to] > limit_) continue;
          next.flying.push_back({next.in_free[to], static_cast<int>(to), message.things});
          std::sort(next.flying.begin(), next.flying.end());
          if (decide(next, now, rank + 1)) return true;
        }
      }
    }
    return decide(state, now, rank + 1);
  }

  bool advance(State state, int now) {
    int next = limit_ + 1;
    for (const int free : state.out_free) {
      if (free > now) next = std::min(next, free);
    }
    for (const Flying& message : state.flying) next = std::min(next, message.arrival);
    if (next > limit_) return false;
    while (!state.flying.empty() && state.flying.front().arrival <= next) {
      const Flying message = state.flying.front();
      state.flying.erase(state.flying.begin());
      Things& have = state.have[static_cast<std::size_t>(message.to)];
      have = problem_.combined(have | message.things);
    }
    return decide(state, next, 0);
  }

  const Problem& problem_;
  int latency_, limit_;
  std::set<Key> seen_;
};

std::vector<Message> subsets(Things have) {
  std::vector<Message> all;
  for (Things some = have; some != 0; some = (some - 1) & have) all.push_back({some, std::popcount(some)});
  return all;
}

Problem copying(std::vector<Things> have, std::vector<Things> want, bool alike) {
  return {std::move(have),
          std::move(want),
          subsets,
          [](Things things) { return things; },
          [](Things things, Things wanted) { return std::popcount(wanted & ~things); },
          alike};
}

// One element: bit s stands for the sum over the ranks of set s.
Problem combining(int ranks, std::vector<Things> want) {
  Problem problem;
  for (int r = 0; r < ranks; ++r) problem.have.push_back(Things{1} << (1U << r));
  problem.want = std::move(want);
  problem.messages = [](Things have) {
    std::vector<Message> all;
    for (unsigned s = 1; s < 64; ++s) {
      if ((have >> s & 1) != 0) all.push_back({Things{1} << s, 1});
    }
    return all;
  };
  problem.combined = [](Things have) {
    for (Things before = 0; before != have;) {
      before = have;
      for (unsigned a = 1; a < 64; ++a) {
        for (unsigned b = a + 1; (have >> a & 1) != 0 && b < 64; ++b) {
          if ((have >> b & 1) != 0 && (a & b) == 0 && (a | b) < 64) have |= Things{1} << (a | b);
        }
      }
    }
    return have;
  };
  problem.missing = [](Things have, Things wanted) { return (have & wanted) == wanted ? 0 : 1; };
  return problem;
}

// Elements of a byte, a byte a picosecond.
Hockney model(int latency) {
  return Hockney({.latency = latency, .rate = picoseconds_per_second, .longest_latency = latency});
}

// Checks that no schedule ends before the bound, and returns the time of the best one.
int check(const Request& request, const Problem& problem, int latency) {
  const auto bound = static_cast<int>(lower_bound(request, model(latency)));
  INFO(name(request.operation) << " on " << request.ranks << ", latency " << latency << ", bound " << bound);
  CHECK_FALSE(Search(problem, latency, bound - 1).finds_a_schedule());
  int best = bound;
  while (!Search(problem, latency, best).finds_a_schedule()) ++best;
  CHECK(best <= 2 * bound);
  return best;
}

}  // namespace

TEST_CASE("no schedule of a broadcast of few blocks beats its bound, and the best ones come near") {
  for (const auto& [ranks, blocks] :
       {std::pair(2, 4), std::pair(3, 3), std::pair(3, 4), std::pair(4, 3), std::pair(5, 2)}) {
    for (const int latency : {1, 3, 10}) {
      const Things all = (Things{1} << blocks) - 1;
      std::vector<Things> have(static_cast<std::size_t>(ranks), 0);
      have[0] = all;
      const Request request = Request::bcast(ranks, 0, blocks, 1);
      const int best = check(request, copying(have, std::vector<Things>(have.size(), all), true), latency);
      CHECK(best <= lower_bound(request, model(latency)) * 3 / 2);
      CHECK(lower_bound(Request::reduce(ranks, 0, blocks, 1), model(latency)) <= best);  // turned round in time
    }
  }
}

TEST_CASE("no schedule of blocks of ranks beats its bound") {
  for (const int ranks : {2, 3, 4}) {
    for (const int latency : {1, 3, 10}) {
      const auto number = static_cast<std::size_t>(ranks);
      const Things all = (Things{1} << ranks) - 1;
      std::vector<Things> own;
      for (int r = 0; r < ranks; ++r) own.push_back(Things{1} << r);
      std::vector<Things> at_root(number, 0);
      at_root[0] = all;
      const Blocks blocks = Blocks::equal(ranks, 1);
      check(Request::scatterv(0, blocks, 1), copying(at_root, own, false), latency);
      check(Request::gatherv(0, blocks, 1), copying(own, at_root, false), latency);
      const int best =
          check(Request::allgatherv(blocks, 1), copying(own, std::vector<Things>(number, all), false), latency);
      CHECK(lower_bound(Request::reduce_scatter(blocks, 1), model(latency)) <= best);  // turned round in time
    }
  }
}

TEST_CASE("no schedule of a total exchange among three beats its bound") {
  std::vector<Things> have(3, 0);
  std::vector<Things> want(3, 0);
  for (unsigned from = 0; from < 3; ++from) {
    for (unsigned to = 0; to < 3; ++to) {
      if (from == to) continue;
      have[from] |= Things{1} << (3 * from + to);
      want[to] |= Things{1} << (3 * from + to);
    }
  }
  for (const int latency : {1, 3, 10}) {
    check(Request::alltoallv(3, AlltoallCounts::equal(3, 1), 1), copying(have, want, false), latency);
  }
}

TEST_CASE("no schedule that combines an element beats its bound") {
  for (const int ranks : {2, 3, 4}) {
    for (const int latency : {1, 3}) {
      const auto number = static_cast<std::size_t>(ranks);
      const unsigned all = (1U << ranks) - 1;
      std::vector<Things> at_root(number, 0);
      std::vector<Things> prefix;
      std::vector<Things> below(number, 0);
      at_root[0] = Things{1} << all;
      for (int r = 0; r < ranks; ++r) prefix.push_back(Things{1} << ((2U << r) - 1));
      for (std::size_t r = 1; r < number; ++r) below[r] = prefix[r - 1];
      check(Request::reduce(ranks, 0, 1, 1), combining(ranks, at_root), latency);
      check(Request::allreduce(ranks, 1, 1), combining(ranks, std::vector<Things>(number, Things{1} << all)), latency);
      check(Request::scan(ranks, 1, 1), combining(ranks, prefix), latency);
      check(Request::exscan(ranks, 1, 1), combining(ranks, below), latency);
    }
  }
}
