#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <tuple>

#include <tombolo/collectives/mapping/cluster_links.hpp>
#include <tombolo/platform/description/routes.hpp>
#include <tombolo/platform/measuring/shared_rate.hpp>

namespace tombolo {

namespace {

constexpr std::size_t most_over = 3;
constexpr std::size_t most_ways = 16;
// With more clusters, ways lead over one other cluster only.
constexpr int many_clusters = 12;

// A way must be better than the direct one by half: a relay costs processor time that rates do not show.
bool is_better(const ClusterLinks::Way& way, const ClusterLinks::Way& direct) {
  const bool wider = direct.rate > 0 && way.rate / 3 > direct.rate / 2;
  return wider || way.latency < direct.latency / 3 * 2;
}

// The rate of all messages together, as far as is known: a total that grew with every message has not found the limit.
// The total of one message is none that was measured; it is the limit here as it is for the models.
BytesPerSecond rate_of(const Link& link, std::size_t hosts) {
  const auto all = static_cast<BytesPerSecond>(hosts);
  if (link.total.value <= 0 || link.flows == 0) return std::max(link.total.value, plus(0, link.rate.value * all));
  const bool limited =
      link.flows == 1 || link.flows >= all || slowed_each_other(link.rate.value, link.flows, link.total.value);
  return limited ? link.total.value : link.total.value / link.flows * all;
}

}  // namespace

ClusterLinks::ClusterLinks(const Platform& platform, const std::vector<Rank>& members) {
  const Routes routes(platform);
  std::map<int, std::vector<Rank>> by_number;
  for (std::size_t rank = 0; rank < members.size(); ++rank) {
    by_number[routes.cluster_of(members[rank])].push_back(static_cast<Rank>(rank));
  }
  cluster_of_.resize(members.size());
  std::vector<int> numbers;  // of the platform's clusters
  std::vector<std::size_t> hosts;
  std::vector<BytesPerSecond> cards;  // of all hosts of a cluster
  const auto member = [&](Rank rank) { return members[static_cast<std::size_t>(rank)]; };
  const auto card = [&](Rank rank) {
    return platform.hosts[static_cast<std::size_t>(routes.host_of(member(rank)))].rate.value;
  };
  for (const auto& [number, ranks] : by_number) {
    for (const Rank rank : ranks) cluster_of_[static_cast<std::size_t>(rank)] = static_cast<int>(clusters_.size());
    numbers.push_back(number);
    clusters_.push_back(ranks);
    std::set<int> seen;
    std::vector<Rank>& relays = relays_.emplace_back();
    BytesPerSecond fastest = 0;
    for (const Rank rank : ranks) fastest = std::max(fastest, card(rank));
    bool all_known = true;
    BytesPerSecond sum = 0;
    for (const Rank rank : ranks) {
      if (!seen.insert(routes.host_of(member(rank))).second) continue;
      if (card(rank) >= fastest / 2) relays.push_back(rank);
      all_known = all_known && card(rank) > 0;
      sum += card(rank);
    }
    hosts.push_back(seen.size());
    cards.push_back(all_known ? sum : 0);
  }
  const auto resource = [this](BytesPerSecond rate) {
    rates_.push_back(rate);
    return static_cast<int>(rates_.size()) - 1;
  };
  // Levels with an uplink around each cluster.
  const std::vector<const Level*> all = tombolo::clusters(platform.levels);
  std::map<const Level*, std::pair<int, int>> uplinks;  // out, in
  std::vector<std::vector<const Level*>> around(clusters_.size());
  const std::function<void(const Level&)> collect = [&](const Level& level) {
    if (level.uplink.value > 0) {
      uplinks[&level] = {resource(level.uplink.value), resource(level.uplink.value)};
      for (std::size_t c = 0; c < clusters_.size(); ++c) {
        if (std::ranges::binary_search(level.ranks, member(clusters_[c].front()))) around[c].push_back(&level);
      }
    }
    if (level.kind == Level::Kind::cluster) return;
    for (const Level& child : level.children) collect(child);
  };
  collect(platform.levels);
  std::vector<std::pair<int, int>> ports;
  for (const BytesPerSecond rate : cards)
    ports.emplace_back(rate > 0 ? resource(rate) : -1, rate > 0 ? resource(rate) : -1);

  std::map<std::pair<int, int>, std::vector<int>> lines;  // by numbers of the platform's clusters: from, to
  for (const SharedLine& line : platform.lines) {
    const std::pair<int, int> ways = {resource(line.rate.value), resource(line.rate.value)};
    for (const auto& [from, to] : line.pairs) {
      lines[{from, to}].push_back(ways.first);
      lines[{to, from}].push_back(ways.second);
    }
  }

  hops_.assign(clusters_.size(), std::vector<Way>(clusters_.size()));
  for (std::size_t a = 0; a < clusters_.size(); ++a) {
    for (std::size_t b = 0; b < clusters_.size(); ++b) {
      if (a == b) continue;
      Way& hop = hops_[a][b];
      const Link& link = platform.links[link_index(numbers[a], numbers[b], static_cast<int>(all.size()))];
      const Rank sender = member(clusters_[a].front());
      const Rank receiver = member(clusters_[b].front());
      hop.latency = hop.longest_hop = routes.latency(sender, receiver) +
                                      platform.processors[static_cast<std::size_t>(sender)].send_overhead +
                                      platform.processors[static_cast<std::size_t>(receiver)].receive_overhead;
      if (const BytesPerSecond rate = rate_of(link, std::min(hosts[a], hosts[b])); rate > 0) {
        hop.uses.push_back(resource(rate));
      }
      for (const auto& [level, ends] : uplinks) {
        const bool from = std::ranges::find(around[a], level) != around[a].end();
        const bool to = std::ranges::find(around[b], level) != around[b].end();
        if (from != to) hop.uses.push_back(from ? ends.first : ends.second);
      }
      if (const auto shared = lines.find({numbers[a], numbers[b]}); shared != lines.end()) {
        hop.uses.insert(hop.uses.end(), shared->second.begin(), shared->second.end());
      }
      if (ports[a].first >= 0) hop.uses.push_back(ports[a].first);
      if (ports[b].second >= 0) hop.uses.push_back(ports[b].second);
      hop.rate = hop.uses.empty() ? 0 : never;
      for (const int use : hop.uses) hop.rate = std::min(hop.rate, rates_[static_cast<std::size_t>(use)]);
    }
  }
  ways_.assign(clusters_.size(), std::vector<std::vector<Way>>(clusters_.size()));
  for (int a = 0; a < size(); ++a) {
    for (int b = 0; b < size(); ++b) {
      if (a != b) find_ways(a, b);
    }
  }
}

void ClusterLinks::find_ways(int from, int to) {
  const auto hop = [this](int a, int b) -> const Way& {
    return hops_[static_cast<std::size_t>(a)][static_cast<std::size_t>(b)];
  };
  const Way& direct = hop(from, to);
  std::vector<Way> found;
  // Extends a way that has come to cluster `at`. A way that is no better does not become so by further hops.
  const std::function<void(const Way&, int)> extend = [&](const Way& way, int at) {
    const auto with = [&](int next) -> std::optional<Way> {
      const Way& last = hop(at, next);
      Way longer{.over = {},
                 .uses = {},
                 .rate = way.rate > 0 && last.rate > 0 ? std::min(way.rate, last.rate) : 0,
                 .latency = plus(way.latency, last.latency),
                 .longest_hop = std::max(way.longest_hop, last.longest_hop)};
      if (!is_better(longer, direct)) return std::nullopt;
      longer.over = way.over;
      longer.uses = way.uses;
      longer.uses.insert(longer.uses.end(), last.uses.begin(), last.uses.end());
      return longer;
    };
    if (at != from) {
      if (auto whole = with(to)) found.push_back(std::move(*whole));
    }
    if (way.over.size() == (size() > many_clusters ? 1 : most_over)) return;
    for (int next = 0; next < size(); ++next) {
      if (next == from || next == to || std::ranges::find(way.over, next) != way.over.end()) continue;
      if (auto longer = with(next)) {
        longer->over.push_back(next);
        extend(*longer, next);
      }
    }
  };
  extend({.over = {}, .uses = {}, .rate = never}, from);
  has_detours_ = has_detours_ || !found.empty();
  std::ranges::sort(found, {}, [](const Way& way) { return std::tuple(-way.rate, way.latency, way.over); });
  if (found.size() >= most_ways) found.resize(most_ways - 1);
  found.insert(found.begin(), direct);
  ways_[static_cast<std::size_t>(from)][static_cast<std::size_t>(to)] = std::move(found);
}

}  // namespace tombolo
