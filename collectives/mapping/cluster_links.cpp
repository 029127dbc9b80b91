#include <algorithm>
#include <functional>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <utility>

#include <tombolo/collectives/mapping/cluster_links.hpp>
#include <tombolo/platform/description/routes.hpp>
#include <tombolo/platform/measuring/shared_rate.hpp>

namespace tombolo {

namespace {

constexpr int no_resource = -1;
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

// The cards of a cluster's hosts that have ranks.
struct Cards {
  std::size_t hosts = 0;
  BytesPerSecond together = 0;  // 0 if one of them is unknown
  std::vector<Rank> relays;     // a rank of each host whose card is not much slower than the fastest
};

Cards cards_of(const Platform& platform, const Routes& routes, const std::vector<Rank>& members,
               const std::vector<Rank>& ranks) {
  const auto host_of = [&](Rank rank) { return routes.host_of(members[static_cast<std::size_t>(rank)]); };
  const auto card_of = [&](Rank rank) { return platform.hosts[static_cast<std::size_t>(host_of(rank))].rate.value; };
  BytesPerSecond fastest = 0;
  for (const Rank rank : ranks) fastest = std::max(fastest, card_of(rank));
  Cards cards;
  std::set<int> seen;
  bool all_known = true;
  for (const Rank rank : ranks) {
    if (!seen.insert(host_of(rank)).second) continue;
    if (card_of(rank) >= fastest / 2) cards.relays.push_back(rank);
    all_known = all_known && card_of(rank) > 0;
    cards.together += card_of(rank);
  }
  cards.hosts = seen.size();
  if (!all_known) cards.together = 0;
  return cards;
}

// What leaves and enters some clusters together.
struct Uplink {
  BytesPerSecond rate = 0;
  std::vector<bool> inside;  // by cluster
};

// The uplinks of a level and of all inside it. `first`: of each cluster, a rank of the platform.
std::vector<Uplink> uplinks_of(const Level& level, const std::vector<Rank>& first) {
  std::vector<Uplink> uplinks;
  if (level.uplink.value > 0) {
    Uplink& uplink = uplinks.emplace_back(Uplink{level.uplink.value, {}});
    for (const Rank rank : first) uplink.inside.push_back(std::ranges::binary_search(level.ranks, rank));
  }
  if (level.kind == Level::Kind::cluster) return uplinks;
  for (const Level& child : level.children) std::ranges::move(uplinks_of(child, first), std::back_inserter(uplinks));
  return uplinks;
}

// A cluster of the ranks, as the ends of its links.
struct Ends {
  int number = 0;  // of the platform's cluster
  Rank first = 0;  // a rank of the platform in it
  Cards cards;
};

// Makes the direct ways between clusters, and the resources that they use: links, uplinks, lines, and the cards of a
// cluster.
class Hops {
 public:
  Hops(const Platform& platform, const Routes& routes, std::vector<Ends> clusters)
      : platform_(platform),
        routes_(routes),
        clusters_(std::move(clusters)),
        platform_clusters_(static_cast<int>(tombolo::clusters(platform.levels).size())) {
    std::vector<Rank> first;
    for (const Ends& cluster : clusters_) first.push_back(cluster.first);
    uplinks_ = uplinks_of(platform.levels, first);
    for (const Uplink& uplink : uplinks_) of_uplinks_.push_back(both(uplink.rate));
    for (const Ends& cluster : clusters_) of_cards_.push_back(both(cluster.cards.together));
    for (const SharedLine& line : platform.lines) {
      const Pair ways = both(line.rate.value);
      for (const auto& [from, to] : line.pairs) {
        of_lines_[{from, to}].push_back(ways.out);
        of_lines_[{to, from}].push_back(ways.in);
      }
    }
  }

  ClusterLinks::Way between(std::size_t a, std::size_t b) {
    const Ends& from = clusters_[a];
    const Ends& to = clusters_[b];
    const Picoseconds latency = routes_.latency(from.first, to.first) +
                                platform_.processors[static_cast<std::size_t>(from.first)].send_overhead +
                                platform_.processors[static_cast<std::size_t>(to.first)].receive_overhead;
    ClusterLinks::Way way{.over = {}, .uses = {}, .rate = 0, .latency = latency, .longest_hop = latency};
    const Link& link = platform_.links[link_index(from.number, to.number, platform_clusters_)];
    use(resource(rate_of(link, std::min(from.cards.hosts, to.cards.hosts))), way);
    for (std::size_t i = 0; i < uplinks_.size(); ++i) {
      const std::vector<bool>& inside = uplinks_[i].inside;
      if (inside[a] != inside[b]) use(inside[a] ? of_uplinks_[i].out : of_uplinks_[i].in, way);
    }
    if (const auto lines = of_lines_.find({from.number, to.number}); lines != of_lines_.end()) {
      for (const int line : lines->second) use(line, way);
    }
    use(of_cards_[a].out, way);
    use(of_cards_[b].in, way);
    return way;
  }

  const std::vector<BytesPerSecond>& rates() const { return rates_; }

 private:
  struct Pair {  // one resource for each direction
    int out = no_resource;
    int in = no_resource;
  };

  int resource(BytesPerSecond rate) {
    if (rate <= 0) return no_resource;
    rates_.push_back(rate);
    return static_cast<int>(rates_.size()) - 1;
  }
  Pair both(BytesPerSecond rate) { return {resource(rate), resource(rate)}; }
  void use(int number, ClusterLinks::Way& way) const {
    if (number == no_resource) return;
    const BytesPerSecond rate = rates_[static_cast<std::size_t>(number)];
    way.rate = way.uses.empty() ? rate : std::min(way.rate, rate);
    way.uses.push_back(number);
  }

  const Platform& platform_;
  const Routes& routes_;
  std::vector<Ends> clusters_;
  int platform_clusters_;
  std::vector<Uplink> uplinks_;
  std::vector<Pair> of_uplinks_, of_cards_;
  std::map<std::pair<int, int>, std::vector<int>> of_lines_;  // by the platform's clusters: from, to
  std::vector<BytesPerSecond> rates_;                         // by resource
};

}  // namespace

ClusterLinks::ClusterLinks(const Platform& platform, const std::vector<Rank>& members) {
  const Routes routes(platform);
  std::map<int, std::vector<Rank>> by_number;  // of the platform's clusters
  for (std::size_t rank = 0; rank < members.size(); ++rank) {
    by_number[routes.cluster_of(members[rank])].push_back(static_cast<Rank>(rank));
  }
  cluster_of_.resize(members.size());
  std::vector<Ends> ends;
  for (const auto& [number, ranks] : by_number) {
    for (const Rank rank : ranks) cluster_of_[static_cast<std::size_t>(rank)] = size();
    const Rank first = members[static_cast<std::size_t>(ranks.front())];
    ends.push_back({number, first, cards_of(platform, routes, members, ranks)});
    relays_.push_back(ends.back().cards.relays);
    clusters_.push_back(ranks);
  }
  Hops hops(platform, routes, std::move(ends));
  hops_.assign(clusters_.size(), std::vector<Way>(clusters_.size()));
  for (std::size_t a = 0; a < clusters_.size(); ++a) {
    for (std::size_t b = 0; b < clusters_.size(); ++b) {
      if (a != b) hops_[a][b] = hops.between(a, b);
    }
  }
  rates_ = hops.rates();
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
