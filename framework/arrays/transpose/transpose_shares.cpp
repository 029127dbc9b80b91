#include <algorithm>
#include <cstddef>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <tombolo/framework/arrays/transpose/transpose_shares.hpp>
#include <tombolo/platform/description/routes.hpp>
#include <tombolo/shares.hpp>
#include <tombolo/units.hpp>

namespace tombolo {

namespace {

using Rows = std::span<const std::int64_t>;

std::int64_t at(Rows rows, Rank rank) {
  return rows[static_cast<std::size_t>(rank)];
}

/// The shares of a set of ranks in A and B.
struct Have {
  std::int64_t a = 0;
  std::int64_t b = 0;
};

class Clock {
 public:
  Clock(const TransposeRanks& ranks, const MatrixShape& a, Bytes element, Rows rows_of_a, Rows rows_of_b)
      : ranks_(ranks), a_(a), element_(element), rows_of_a_(rows_of_a), rows_of_b_(rows_of_b) {}

  Picoseconds time() {
    Picoseconds pack = 0;
    Picoseconds unpack = 0;
    for (Rank rank = 0; rank < ranks_.platform->ranks(); ++rank) {
      const auto place = static_cast<std::size_t>(rank);
      const Bytes packed = at(rows_of_a_, rank) * a_.columns * element_;
      const Bytes unpacked = at(rows_of_b_, rank) * a_.rows * element_;
      if (std::max(packed, unpacked) > ranks_.room[place] / 2) return never;
      pack = std::max(pack, transfer_time(packed, ranks_.memory[place]));
      unpack = std::max(unpack, transfer_time(unpacked, ranks_.memory[place]));
    }
    ports();
    levels(ranks_.platform->levels);
    links();
    return plus(plus(pack, exchange_), unpack);
  }

 private:
  Have sum(const std::vector<Rank>& some) const {
    Have have;
    for (const Rank rank : some) have = {have.a + at(rows_of_a_, rank), have.b + at(rows_of_b_, rank)};
    return have;
  }

  void crosses(std::int64_t elements, BytesPerSecond rate) {
    if (rate > 0) exchange_ = std::max(exchange_, transfer_time(elements * element_, rate));
  }

  /// Bounds the exchange time by the traffic to and from all other ranks.
  void leaves(const Have& have, BytesPerSecond rate) {
    crosses(have.a * (a_.columns - have.b), rate);
    crosses(have.b * (a_.rows - have.a), rate);
  }

  void ports() {
    const Routes routes(*ranks_.platform);
    std::vector<Have> hosts(ranks_.platform->hosts.size());
    for (Rank rank = 0; rank < ranks_.platform->ranks(); ++rank) {
      Have& host = hosts[static_cast<std::size_t>(routes.host_of(rank))];
      host = {host.a + at(rows_of_a_, rank), host.b + at(rows_of_b_, rank)};
    }
    for (std::size_t host = 0; host < hosts.size(); ++host) {
      leaves(hosts[host], ranks_.platform->hosts[host].rate.value);
    }
  }

  /// Bounds by the uplinks of groups and clusters, and by messages between ranks of a host.
  void levels(const Level& level) {
    if (level.kind == Level::Kind::host) {
      const Have host = sum(level.ranks);
      for (const Rank rank : level.ranks) {
        crosses(at(rows_of_a_, rank) * (host.b - at(rows_of_b_, rank)), level.rate.value);
        crosses(at(rows_of_b_, rank) * (host.a - at(rows_of_a_, rank)), level.rate.value);
      }
      return;
    }
    if (level.uplink.value > 0) leaves(sum(level.ranks), level.uplink.value);
    for (const Level& child : level.children) levels(child);
  }

  void links() {
    std::vector<Have> have;
    std::vector<std::int64_t> hosts;  // number of hosts with data, by cluster
    for (const Level* cluster : clusters(ranks_.platform->levels)) {
      have.push_back(sum(cluster->ranks));
      hosts.push_back(std::count_if(cluster->children.begin(), cluster->children.end(), [&](const Level& host) {
        const Have of_host = sum(host.ranks);
        return of_host.a + of_host.b > 0;
      }));
    }
    for (const Link& link : ranks_.platform->links) {
      const auto one = static_cast<std::size_t>(link.a);
      const auto other = static_cast<std::size_t>(link.b);
      const std::int64_t pairs = std::min(hosts[one], hosts[other]);
      // The rate of one message does not give the rate of several: then each pair of hosts has its rate.
      const bool shared = link.total.value > 0 && (link.flows > 1 || pairs == 1);
      const BytesPerSecond rate = shared ? link.total.value : several(link.rate.value, pairs);
      crosses(have[one].a * have[other].b, rate);
      crosses(have[other].a * have[one].b, rate);
    }
  }

  static BytesPerSecond several(BytesPerSecond rate, std::int64_t times) {
    BytesPerSecond together = 0;
    return __builtin_mul_overflow(rate, times, &together) ? never : together;
  }

  const TransposeRanks& ranks_;
  MatrixShape a_;
  Bytes element_;
  Rows rows_of_a_;
  Rows rows_of_b_;
  Picoseconds exchange_ = 0;
};

}  // namespace

Picoseconds transpose_time(const TransposeRanks& ranks, const MatrixShape& a, Bytes element, Rows rows_of_a,
                           Rows rows_of_b) {
  return Clock(ranks, a, element, rows_of_a, rows_of_b).time();
}

namespace {

using Weights = std::vector<std::int64_t>;

/// Returns each rank's fraction of its host's port rate; 0 if unknown or on a single host.
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

/// Returns 1 / (2 / memory + 1 / link); memory / 2 if the link is unknown.
std::int64_t both(BytesPerSecond memory, BytesPerSecond link) {
  if (link == 0) return std::max<std::int64_t>(memory / 2, 1);
  const UnsignedWide product = static_cast<UnsignedWide>(memory) * static_cast<UnsignedWide>(link);
  const UnsignedWide sum = 2 * static_cast<UnsignedWide>(link) + static_cast<UnsignedWide>(memory);
  return std::max<std::int64_t>(static_cast<std::int64_t>(product / sum), 1);
}

struct Proportion {
  std::string_view name;
  Weights weights;  // one weight for each rank
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

/// Returns the candidate sets: all ranks; and, for several outermost clusters, each cluster and the fastest few
/// clusters.
std::vector<Chosen> sets_of_ranks(const Platform& platform, const Weights& rates, bool some) {
  std::vector<Chosen> sets{{"all ranks", platform.levels.ranks}};
  if (!some || platform.levels.kind != Level::Kind::group) return sets;
  std::vector<std::pair<UnsignedWide, const Level*>> clusters;
  for (const Level& cluster : platform.levels.children) {
    UnsignedWide sum = 0;
    for (const Rank rank : cluster.ranks) sum += static_cast<UnsignedWide>(rates[static_cast<std::size_t>(rank)]);
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
