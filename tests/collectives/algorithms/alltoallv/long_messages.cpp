#include <algorithm>
#include <limits>
#include <map>
#include <numeric>
#include <set>

#include <catch2/catch.hpp>

#include <tombolo/collectives/algorithms/alltoallv/long_messages.hpp>

using namespace tombolo;

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
