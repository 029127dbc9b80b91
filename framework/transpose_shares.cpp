#include <algorithm>
#include <cstddef>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include <tombolo/framework/shares.hpp>
#include <tombolo/framework/transpose_shares.hpp>
#include <tombolo/platform/error.hpp>
#include <tombolo/platform/routes.hpp>

namespace tombolo {
namespace {

__extension__ using Wide = unsigned __int128;  // the product of two rates
using Weights = std::vector<std::int64_t>;

/// The fraction of its host's port that each rank has; 0 where that is not known, or there is no other host.
std::vector<BytesPerSecond> links_of(const Platform& platform) {
  std::vector<BytesPerSecond> links(platform.processors.size(), 0);
  if (platform.hosts.size() == 1) return links;
  const Routes routes(platform);
  const auto host_of = [&](std::size_t rank) {
    return static_cast<std::size_t>(routes.host_of(static_cast<Rank>(rank)));
  };
  std::vector<std::int64_t> ranks_on(platform.hosts.size(), 0);
  for (std::size_t rank = 0; rank < links.size(); ++rank) ++ranks_on[host_of(rank)];
  for (std::size_t rank = 0; rank < links.size(); ++rank) {
    const BytesPerSecond port = platform.hosts[host_of(rank)].rate.value;
    if (port > 0) links[rank] = std::max<BytesPerSecond>(port / ranks_on[host_of(rank)], 1);
  }
  return links;
}

/// 1 / (2 / memory + 1 / link)
std::int64_t both(BytesPerSecond memory, BytesPerSecond link) {
  if (link == 0) return std::max<std::int64_t>(memory / 2, 1);
  const Wide product = static_cast<Wide>(memory) * static_cast<Wide>(link);
  const Wide sum = 2 * static_cast<Wide>(link) + static_cast<Wide>(memory);
  return std::max<std::int64_t>(static_cast<std::int64_t>(product / sum), 1);
}

struct Proportion {
  std::string_view name;
  Weights weights;  // of all ranks
};

std::vector<Proportion> proportions(const TransposeRanks& ranks) {
  const auto count = ranks.memory.size();
  Weights of_both(count);
  Weights of_links = links_of(*ranks.platform);
  for (std::size_t rank = 0; rank < count; ++rank) {
    of_both[rank] = both(ranks.memory[rank], of_links[rank]);
    if (of_links[rank] == 0) of_links[rank] = ranks.memory[rank];
  }
  Weights of_memory(ranks.memory.begin(), ranks.memory.end());
  return {{"by memory and links", std::move(of_both)},
          {"by memory", std::move(of_memory)},
          {"by links", std::move(of_links)},
          {"equal", Weights(count, 1)}};
}

struct Chosen {
  std::string name;
  std::vector<Rank> ranks;
};

/// All ranks; and, of several outermost clusters, each, and the fastest few of them.
std::vector<Chosen> sets_of_ranks(const Platform& platform, const Weights& rates, bool some) {
  std::vector<Chosen> sets{{"all ranks", platform.levels.ranks}};
  if (!some || platform.levels.kind != Level::Kind::group) return sets;
  std::vector<std::pair<Wide, const Level*>> clusters;
  for (const Level& cluster : platform.levels.children) {
    Wide sum = 0;
    for (const Rank rank : cluster.ranks) sum += static_cast<Wide>(rates[static_cast<std::size_t>(rank)]);
    clusters.emplace_back(sum, &cluster);
    sets.push_back({cluster.name + " alone", cluster.ranks});
  }
  std::stable_sort(clusters.begin(), clusters.end(),
                   [](const auto& one, const auto& other) { return one.first > other.first; });
  Chosen fastest{clusters.front().second->name, clusters.front().second->ranks};
  for (std::size_t next = 1; next + 1 < clusters.size(); ++next) {
    const Level& cluster = *clusters[next].second;
    fastest.name += ", " + cluster.name;
    fastest.ranks.insert(fastest.ranks.end(), cluster.ranks.begin(), cluster.ranks.end());
    sets.push_back(fastest);
  }
  return sets;
}

Weights weights_of(const Weights& all, const std::vector<Rank>& ranks) {
  Weights weights(all.size(), 0);
  for (const Rank rank : ranks) weights[static_cast<std::size_t>(rank)] = all[static_cast<std::size_t>(rank)];
  return weights;
}

void check(const TransposeRanks& ranks) {
  const auto count = static_cast<std::size_t>(ranks.platform->ranks());
  if (ranks.memory.size() != count || ranks.room.size() != count) {
    throw Error(fmt::format("rates of {} and room of {} ranks of a platform of {}", ranks.memory.size(),
                            ranks.room.size(), count),
                "give both of each rank");
  }
}

}  // namespace

TransposeShares shares_by_links(const TransposeRanks& ranks, const MatrixShape& a, Bytes element, bool some) {
  check(ranks);
  const std::vector<Proportion> all = proportions(ranks);
  TransposeShares best{.weights = {}, .how = {}, .predicted = never};
  const auto consider = [&](Weights weights, std::string how) {
    const Picoseconds time = transpose_time(ranks, a, element, proportional_shares(a.rows, weights),
                                            proportional_shares(a.columns, weights));
    if (best.weights.empty() || time < best.predicted) best = {std::move(weights), std::move(how), time};
  };
  for (const Chosen& chosen : sets_of_ranks(*ranks.platform, all.front().weights, some)) {
    for (const auto& [name, weights] : all) {
      consider(weights_of(weights, chosen.ranks), fmt::format("{}, over {}", name, chosen.name));
    }
  }
  const Weights by_room(ranks.room.begin(), ranks.room.end());
  if (std::any_of(by_room.begin(), by_room.end(), [](Bytes room) { return room > 0; })) {
    consider(by_room, "by free memory, over all ranks");
  }
  return best;
}

}  // namespace tombolo
