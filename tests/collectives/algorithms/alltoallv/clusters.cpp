// The exchange between clusters: what crosses long links, and what that takes. That it is right is proved with all
// others (algorithms.cpp, mapped.cpp).

#include <algorithm>
#include <limits>
#include <map>
#include <numeric>
#include <set>

#include <catch2/catch.hpp>

#include <tombolo/collectives/algorithms/alltoallv/clusters.hpp>
#include <tombolo/collectives/prove/prove.hpp>

#include "collectives/forms/form_models.hpp"
#include "collectives/forms/grid_exchange.hpp"

using namespace tombolo;

namespace {

// Clusters of so many ranks each, in order.
NestedGroups clusters_of(const std::vector<int>& sizes) {
  Partition partition;
  Rank next = 0;
  for (const int size : sizes) {
    partition.emplace_back();
    for (int i = 0; i < size; ++i) partition.back().push_back(next++);
  }
  return {"clusters", {std::move(partition)}};
}

int cluster_of(const std::vector<int>& sizes, Rank rank) {
  int cluster = 0;
  for (; rank >= sizes[static_cast<std::size_t>(cluster)]; ++cluster) rank -= sizes[static_cast<std::size_t>(cluster)];
  return cluster;
}

struct Crossing {
  std::int64_t messages = 0;
  std::int64_t elements = 0;
  bool operator==(const Crossing&) const = default;
};

Crossing crossing(const Plan& plan, const std::vector<int>& sizes) {
  Crossing found;
  for (Rank rank = 0; rank < plan.request().ranks; ++rank) {
    const Schedule schedule = plan.schedule(rank);
    for (const Step& step : schedule.steps()) {
      if (step.kind != Step::Kind::send || cluster_of(sizes, rank) == cluster_of(sizes, step.peer)) continue;
      ++found.messages;
      found.elements += step.count;
    }
  }
  return found;
}

Request equal_blocks(const std::vector<int>& sizes, std::int64_t count) {
  const int ranks = std::accumulate(sizes.begin(), sizes.end(), 0);
  return Request::alltoallv(ranks, AlltoallCounts::equal(ranks, count), 1);
}

Plan plan_of(const std::vector<int>& sizes, std::int64_t count, int carriers = 0, Bytes segment = 0) {
  return {equal_blocks(sizes, count),
          alltoallv_clusters,
          {.segment_bytes = segment, .radix = carriers, .groups = clusters_of(sizes)}};
}

}  // namespace

TEST_CASE("between two clusters 2 max(n1, n2) messages cross, each block once, where the direct exchange has 2 n1 n2") {
  for (int n1 = 1; n1 <= 9; ++n1) {
    for (int n2 = 1; n2 <= 9; ++n2) {
      const std::vector<int> sizes{n1, n2};
      const std::int64_t all = std::int64_t{2} * n1 * n2;
      INFO(n1 << " and " << n2);
      CHECK(crossing(plan_of(sizes, 5), sizes) == Crossing{2 * std::max(n1, n2), 5 * all});
      CHECK(crossing(Plan(equal_blocks(sizes, 5), alltoallv_direct), sizes) == Crossing{all, 5 * all});
      CHECK(crossing(plan_of(sizes, 5, 1), sizes) == Crossing{2, 5 * all});
      CHECK(crossing(plan_of(sizes, 5, 3), sizes) == Crossing{2 * std::min(3, std::max(n1, n2)), 5 * all});
    }
  }
}

TEST_CASE("so do they between any two of several clusters, cut where segments are shorter") {
  const std::vector<int> sizes{4, 1, 7, 2};
  // max(4, 1) + max(4, 7) + max(4, 2) + max(1, 7) + max(1, 2) + max(7, 2), both ways.
  const std::int64_t blocks = 14 * 14 - (16 + 1 + 49 + 4);
  CHECK(crossing(plan_of(sizes, 6), sizes) == Crossing{2 * (4 + 7 + 4 + 7 + 2 + 7), 6 * blocks});
  // Of one block each, or of several with as much of each.
  const Crossing cut = crossing(plan_of(sizes, 6, 0, 6), sizes);
  CHECK(cut.elements == 6 * blocks);
  CHECK(cut.messages > 4 * 31);
  for (Rank rank = 0; rank < 14; ++rank) {
    const Schedule schedule = plan_of(sizes, 6, 0, 7).schedule(rank);
    for (const Step& step : schedule.steps()) {
      if (step.is_message() && cluster_of(sizes, rank) != cluster_of(sizes, step.peer)) CHECK(step.count <= 7);
    }
  }
}

TEST_CASE("one cluster exchanges directly, and what nobody sends is no message") {
  const Plan one = plan_of({6}, 3);
  CHECK(prove(one).messages == 30);
  CHECK(prove(one).largest_scratch == 0);
  CHECK(prove(plan_of({1}, 3)).messages == 0);
  CHECK(prove(plan_of({3, 4}, 0)).messages == 0);
  std::vector<std::vector<std::int64_t>> rows(7, std::vector<std::int64_t>(7, 0));
  rows[1][5] = 9;
  const Request lonely = Request::alltoallv(7, AlltoallCounts::matrix(rows), 1);
  const Plan plan(lonely, alltoallv_clusters, {.groups = clusters_of({3, 4})});
  CHECK(prove(plan).holds());
  CHECK(crossing(plan, {3, 4}) == Crossing{1, 9});
}

TEST_CASE("counts that fall off as in Zipf's law, from one large block to none, cross long links once") {
  const std::vector<int> sizes{5, 2, 6};
  std::vector<std::vector<std::int64_t>> rows(13, std::vector<std::int64_t>(13));
  std::int64_t crossing_elements = 0;
  for (Rank from = 0; from < 13; ++from) {
    for (Rank to = 0; to < 13; ++to) {
      std::int64_t& count = rows[static_cast<std::size_t>(from)][static_cast<std::size_t>(to)];
      count = 100 / (1 + (from * 5 + to * 7) % 169);
      if (cluster_of(sizes, from) != cluster_of(sizes, to)) crossing_elements += count;
    }
  }
  const Request request = Request::alltoallv(13, AlltoallCounts::matrix(rows), 8);
  for (const int carriers : {0, 1, 2}) {
    for (const Bytes segment : {0, 64}) {
      const Plan plan(request, alltoallv_clusters,
                      {.segment_bytes = segment, .radix = carriers, .groups = clusters_of(sizes)});
      CHECK(prove(plan).holds());
      CHECK(crossing(plan, sizes).elements == crossing_elements);
    }
  }
}

TEST_CASE("it takes what equation 6 says of two clusters, where ranks send one message at a time") {
  constexpr Picoseconds far = 5'000'000'000;
  constexpr Picoseconds near = 1'000'000;
  for (const int n1 : {1, 2, 3, 4}) {
    for (const int times : {1, 2, 5}) {
      const std::vector<int> sizes{n1, times * n1};
      for (const std::int64_t m : {1, 4000}) {
        const auto model = test::one_port([&](Rank from, Rank to, Bytes bytes) {
          return cluster_of(sizes, from) == cluster_of(sizes, to) ? near : far + 20'000 * bytes;
        });
        const auto between = [&](int, int, Bytes bytes) { return far + 20'000 * bytes; };
        const auto form = [&](Picoseconds local) {
          return forms::grid_exchange(std::vector<forms::ClusterExchange>{{n1, local}, {times * n1, local}}, between,
                                      m);
        };
        // Before the first long message a rank collects from all others of its cluster; what it exchanges with them
        // besides may come then or later.
        INFO(n1 << " and " << times * n1 << " ranks, blocks of " << m);
        const Picoseconds predicted = predict(plan_of(sizes, m), model).makespan;
        CHECK(predicted >= form(n1 > 1 ? near : 0));
        CHECK(predicted <= form(2 * times * n1 * near));
      }
    }
  }
}

namespace {

constexpr int every_rank = std::numeric_limits<int>::max();

std::vector<Rank> ranks(Rank first, int count) {
  std::vector<Rank> all(static_cast<std::size_t>(count));
  std::iota(all.begin(), all.end(), first);
  return all;
}

bool has(std::span<const Rank> ranks, Rank rank) {
  return std::find(ranks.begin(), ranks.end(), rank) != ranks.end();
}

}  // namespace

TEST_CASE("whatever the sizes and carriers, each block is in one long message, and messages are shared out evenly") {
  for (int n1 = 1; n1 <= 9; ++n1) {
    for (int n2 = 1; n2 <= 9; ++n2) {
      const std::vector<Rank> from = ranks(0, n1);
      const std::vector<Rank> to = ranks(100, n2);
      for (const int carriers : {1, 2, 3, 5, 9, every_rank}) {
        for (const ClusterTurn& turn : {ClusterTurn{0, 1}, ClusterTurn{0, 4}, ClusterTurn{2, 4}, ClusterTurn{13, 14}}) {
          INFO(n1 << " to " << n2 << ", carriers " << carriers << ", turn " << turn.turn);
          const std::vector<LongMessage> all = long_messages(from, to, carriers, turn, turn);
          CHECK(static_cast<int>(all.size()) == std::max(std::min(carriers, n1), std::min(carriers, n2)));
          std::set<std::pair<Rank, Rank>> blocks;
          std::set<std::pair<Rank, Rank>> pairs;
          std::map<Rank, int> sent;
          std::map<Rank, int> received;
          for (const LongMessage& message : all) {
            CHECK(has(from, message.sender));
            CHECK(has(message.targets, message.receiver));
            CHECK(pairs.emplace(message.sender, message.receiver).second);
            ++sent[message.sender];
            ++received[message.receiver];
            for (const Rank source : message.sources) {
              for (const Rank target : message.targets) CHECK(blocks.emplace(source, target).second);
            }
            if (carriers >= n2) CHECK(message.targets.size() == 1);
          }
          CHECK(static_cast<int>(blocks.size()) == n1 * n2);
          for (const auto* counts : {&sent, &received}) {
            const auto [least, most] =
                std::minmax_element(counts->begin(), counts->end(), [](auto a, auto b) { return a.second < b.second; });
            CHECK(most->second - least->second <= 1);
          }
        }
      }
    }
  }
}

TEST_CASE("clusters that are served in turn get other carriers as long as there are any") {
  const std::vector<Rank> from = ranks(0, 8);
  const std::vector<Rank> to = ranks(100, 3);
  std::set<Rank> one;
  std::set<Rank> two;
  for (int turn = 0; turn < 4; ++turn) {
    one.insert(long_messages(from, to, 1, {turn, 4}, {0, 1}).front().sender);
    for (const LongMessage& message : long_messages(from, to, 2, {turn, 4}, {0, 1})) two.insert(message.sender);
  }
  CHECK(one == std::set<Rank>{0, 2, 4, 6});
  CHECK(two.size() == 8);
}
