#include <algorithm>
#include <array>
#include <optional>
#include <set>
#include <utility>

#include <tombolo/collectives/mapping/detours_for.hpp>
#include <tombolo/units.hpp>

namespace tombolo {

namespace {

using Shares = std::vector<std::vector<std::vector<int>>>;

constexpr Bytes smallest_segment = 1024;
// Segments of a message on its way, so that all hops work most of the time; fewer for very many messages.
constexpr std::int64_t pipelined = 8;
constexpr std::int64_t most_segments = std::int64_t{1} << 17;
constexpr std::int64_t largest_window = 64;
// Segments of vectors that show what all of them do.
constexpr std::int64_t segments_looked_at = 64;

// 2^(x / 32) in units of 2^-16, for x of 0 to `steepest`. A difference of 1 / steepest of the longest time counts.
constexpr std::int64_t steepest = 2048;
UnsignedWide power_of_two(std::int64_t x) {
  constexpr std::array<std::uint32_t, 32> fractions = {65536,  66971,  68438,  69936,  71468,  73032,  74632,  76266,
                                                       77936,  79642,  81386,  83169,  84990,  86851,  88752,  90696,
                                                       92682,  94711,  96785,  98905,  101070, 103283, 105545, 107856,
                                                       110218, 112631, 115098, 117618, 120194, 122825, 125515, 128263};
  return UnsignedWide{fractions[static_cast<std::size_t>(x % 32)]} << static_cast<unsigned>(x / 32);
}

// The bytes on each resource, and the sum of the powers of two of their times.
class Loads {
 public:
  explicit Loads(const std::vector<BytesPerSecond>& rates) : rates_(rates), bytes_(rates.size(), 0) {}

  void add(const std::vector<int>& uses, Bytes bytes) {
    for (const int use : uses) bytes_[static_cast<std::size_t>(use)] += bytes;
  }
  Picoseconds longest() const {
    Picoseconds longest = 0;
    for (std::size_t use = 0; use < rates_.size(); ++use) longest = std::max(longest, time(use));
    return longest;
  }
  Picoseconds longest_of(const std::vector<int>& uses) const {
    Picoseconds longest = 0;
    for (const int use : uses) longest = std::max(longest, time(static_cast<std::size_t>(use)));
    return longest;
  }
  // Of the resources of two ways, each counted once.
  UnsignedWide weight(const std::vector<int>& some, const std::vector<int>& others, Picoseconds longest) const {
    UnsignedWide sum = 0;
    for (auto use = some.begin(); use != some.end(); ++use) {
      if (std::find(some.begin(), use, *use) == use) sum += power(*use, longest);
    }
    for (auto use = others.begin(); use != others.end(); ++use) {
      const bool is_new = std::find(others.begin(), use, *use) == use && std::ranges::find(some, *use) == some.end();
      if (is_new) sum += power(*use, longest);
    }
    return sum;
  }

 private:
  UnsignedWide power(int use, Picoseconds longest) const {
    const UnsignedWide part =
        UnsignedWide(time(static_cast<std::size_t>(use))) * steepest / UnsignedWide(std::max<Picoseconds>(longest, 1));
    return power_of_two(static_cast<std::int64_t>(std::min<UnsignedWide>(part, steepest + steepest / 4)));
  }
  Picoseconds time(std::size_t use) const { return transfer_time(bytes_[use], rates_[use]); }

  const std::vector<BytesPerSecond>& rates_;
  std::vector<Bytes> bytes_;
};

template <class Action>
void for_each_pair(int clusters, Action action) {
  for (int from = 0; from < clusters; ++from) {
    for (int to = 0; to < clusters; ++to) {
      if (from != to) action(static_cast<std::size_t>(from), static_cast<std::size_t>(to));
    }
  }
}

Bytes bytes_of(Bytes demand, std::int64_t units) {
  return static_cast<Bytes>(UnsignedWide(demand) * static_cast<UnsignedWide>(units) / flow_units);
}

// Moves `units` from one way of a pair to another if that lessens the sum of powers.
bool move_if_better(Loads& loads, Bytes bytes, const ClusterLinks::Way& from, const ClusterLinks::Way& to,
                    Picoseconds longest) {
  const UnsignedWide before = loads.weight(from.uses, to.uses, longest);
  loads.add(from.uses, -bytes);
  loads.add(to.uses, bytes);
  if (loads.weight(from.uses, to.uses, longest) < before) return true;
  loads.add(to.uses, -bytes);
  loads.add(from.uses, bytes);
  return false;
}

// What the messages of a plan need of the links between clusters.
struct Traffic {
  ClusterDemands bytes;
  std::vector<std::vector<std::int64_t>> messages;
  std::vector<std::vector<std::set<std::pair<Rank, Rank>>>> ends;  // sender, receiver
  std::int64_t all_messages = 0;
};

Traffic traffic_of(const Plan& plan, const ClusterLinks& links) {
  Request some = plan.request();
  const Bytes segment = plan.parameters().segment_bytes;
  if (sizes(some.operation) == Sizes::vector && segment > 0) {
    const std::int64_t each = std::max<std::int64_t>(segment / std::max<Bytes>(some.element_bytes, 1), 1);
    some.count = std::min(some.count, each * segments_looked_at);
  }
  const auto clusters = static_cast<std::size_t>(links.size());
  Traffic traffic{ClusterDemands(clusters, std::vector<Bytes>(clusters, 0)),
                  std::vector(clusters, std::vector<std::int64_t>(clusters, 0)),
                  std::vector(clusters, std::vector<std::set<std::pair<Rank, Rank>>>(clusters))};
  for (Rank rank = 0; rank < some.ranks; ++rank) {
    const Schedule schedule = plan.direct(rank, some);
    for (const Step& step : schedule.steps()) {
      if (step.kind != Step::Kind::send || step.count == 0) continue;
      const auto from = static_cast<std::size_t>(links.cluster_of(rank));
      const auto to = static_cast<std::size_t>(links.cluster_of(step.peer));
      if (from == to) continue;
      traffic.bytes[from][to] = plus(traffic.bytes[from][to], step.count * some.element_bytes);
      ++traffic.messages[from][to];
      ++traffic.all_messages;
      traffic.ends[from][to].insert({rank, step.peer});
    }
  }
  return traffic;
}

// Segments of a pair's messages: a pipeline of messages is one already.
Bytes segment_of(Bytes bytes, std::int64_t messages, std::int64_t ends, std::int64_t all_messages) {
  const std::int64_t in_row = std::max<std::int64_t>(messages / ends, 1);
  const std::int64_t most = std::max<std::int64_t>(most_segments / all_messages, 1);
  const std::int64_t pieces = std::min((pipelined + in_row - 1) / in_row, most);
  return pieces == 1 ? 0 : std::max(bytes / messages / pieces, smallest_segment);
}

// Segments that one sender and receiver need under way to keep a way busy, beside the other senders and receivers.
int window_of(const ClusterLinks::Way& way, Bytes segment, std::int64_t ends) {
  const auto on_the_way =
      static_cast<std::int64_t>(UnsignedWide(way.longest_hop) * static_cast<UnsignedWide>(way.rate) /
                                static_cast<UnsignedWide>(picoseconds_per_second));
  return static_cast<int>(2 + std::min(on_the_way / std::max<Bytes>(segment, 1) / ends, largest_window));
}

std::optional<Detours::Pair> pair_of(const Traffic& traffic, const ClusterLinks& links, std::size_t from,
                                     std::size_t to, const std::vector<int>& units) {
  const auto& ways = links.ways(static_cast<int>(from), static_cast<int>(to));
  const Bytes bytes = traffic.bytes[from][to];
  const auto ends = static_cast<std::int64_t>(traffic.ends[from][to].size());
  const Bytes segment = segment_of(bytes, traffic.messages[from][to], ends, traffic.all_messages);
  Detours::Pair pair{.from = static_cast<int>(from), .to = static_cast<int>(to), .segment_bytes = segment, .ways = {}};
  bool detours = false;
  for (std::size_t way = 0; way < ways.size(); ++way) {
    if (units[way] == 0) continue;
    const Bytes under_way = segment > 0 ? segment : bytes / traffic.messages[from][to];
    pair.ways.push_back(
        {.over = ways[way].over, .weight = units[way], .window = window_of(ways[way], under_way, ends)});
    detours = detours || !ways[way].over.empty();
  }
  return detours ? std::optional(pair) : std::nullopt;
}

void add_detours(const Traffic& traffic, const ClusterLinks& links, const Shares& shares, std::vector<Detours>& all) {
  std::vector<Detours::Pair> pairs;
  for_each_pair(links.size(), [&](std::size_t from, std::size_t to) {
    if (traffic.bytes[from][to] == 0) return;
    if (auto pair = pair_of(traffic, links, from, to, shares[from][to])) pairs.push_back(std::move(*pair));
  });
  if (pairs.empty()) return;
  Detours made(links.clusters(), links.relays(), std::move(pairs));
  if (std::ranges::find(all, made) == all.end()) all.push_back(std::move(made));
}

// All units of a pair by one way: of the least latency together with the time of its busiest resource, beside what the
// other pairs load that with.
Shares by_delay(const ClusterLinks& links, const ClusterDemands& demands) {
  constexpr int most_rounds = 16;
  const auto clusters = static_cast<std::size_t>(links.size());
  Loads loads(links.rates());
  std::vector<std::vector<const ClusterLinks::Way*>> chosen(clusters, std::vector<const ClusterLinks::Way*>(clusters));
  for_each_pair(links.size(), [&](std::size_t from, std::size_t to) {
    const auto& ways = links.ways(static_cast<int>(from), static_cast<int>(to));
    chosen[from][to] = &*std::ranges::min_element(ways, {}, &ClusterLinks::Way::latency);
    loads.add(chosen[from][to]->uses, demands[from][to]);
  });
  bool moved = true;
  for (int round = 0; round < most_rounds && moved; ++round) {
    moved = false;
    for_each_pair(links.size(), [&](std::size_t from, std::size_t to) {
      const Bytes bytes = demands[from][to];
      if (bytes == 0) return;
      const auto delay = [&](const ClusterLinks::Way& way) {
        loads.add(way.uses, bytes);
        const Picoseconds busy = loads.longest_of(way.uses);
        loads.add(way.uses, -bytes);
        return plus(way.latency, busy);
      };
      loads.add(chosen[from][to]->uses, -bytes);
      const ClusterLinks::Way* best = chosen[from][to];
      Picoseconds least = delay(*best);
      for (const ClusterLinks::Way& way : links.ways(static_cast<int>(from), static_cast<int>(to))) {
        const Picoseconds its = delay(way);
        if (its >= least) continue;
        least = its;
        best = &way;
      }
      moved = moved || best != chosen[from][to];
      chosen[from][to] = best;
      loads.add(best->uses, bytes);
    });
  }
  Shares shares(clusters, std::vector<std::vector<int>>(clusters));
  for_each_pair(links.size(), [&](std::size_t from, std::size_t to) {
    const auto& ways = links.ways(static_cast<int>(from), static_cast<int>(to));
    shares[from][to].resize(ways.size(), 0);
    shares[from][to][static_cast<std::size_t>(chosen[from][to] - ways.data())] = flow_units;
  });
  return shares;
}

}  // namespace

Shares divided_among_ways(const ClusterLinks& links, const ClusterDemands& demands) {
  const auto clusters = static_cast<std::size_t>(links.size());
  Shares shares(clusters, std::vector<std::vector<int>>(clusters));
  Loads loads(links.rates());
  for_each_pair(links.size(), [&](std::size_t from, std::size_t to) {
    const auto& ways = links.ways(static_cast<int>(from), static_cast<int>(to));
    shares[from][to].resize(ways.size(), 0);
    shares[from][to].front() = flow_units;
    loads.add(ways.front().uses, demands[from][to]);
  });
  constexpr int most_rounds = 256;
  int step = flow_units / 4;
  for (int round = 0; round < most_rounds && step > 0; ++round) {
    bool moved = false;
    const Picoseconds longest = loads.longest();
    for_each_pair(links.size(), [&](std::size_t from, std::size_t to) {
      const auto& ways = links.ways(static_cast<int>(from), static_cast<int>(to));
      const Bytes demand = demands[from][to];
      if (demand == 0) return;
      for (std::size_t source = 0; source < ways.size(); ++source) {
        for (std::size_t target = 0; target < ways.size(); ++target) {
          std::vector<int>& units = shares[from][to];
          if (source == target || units[source] == 0) continue;
          const int some = std::min(step, units[source]);
          if (!move_if_better(loads, bytes_of(demand, some), ways[source], ways[target], longest)) continue;
          units[source] -= some;
          units[target] += some;
          moved = true;
        }
      }
    });
    if (!moved) step /= 2;
  }
  return shares;
}

std::vector<Detours> detours_for(const Plan& plan, const ClusterLinks& links) {
  const Request& request = plan.request();
  std::vector<Detours> all;
  if (!links.has_detours() || request.knowledge == Knowledge::as_in_mpi) return all;
  const Traffic traffic = traffic_of(plan, links);
  add_detours(traffic, links, divided_among_ways(links, traffic.bytes), all);
  add_detours(traffic, links, by_delay(links, traffic.bytes), all);
  return all;
}

}  // namespace tombolo
