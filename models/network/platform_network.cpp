#include <algorithm>
#include <cmath>
#include <map>

#include <tombolo/models/network/platform_network.hpp>
#include <tombolo/platform/description/backbones.hpp>
#include <tombolo/platform/measuring/shared_rate.hpp>

namespace tombolo {

namespace {

// The bytes of TCP's window, weighed against latency (SimGrid's weight-S, fitted to packet-level simulation).
constexpr Bytes window_bytes = 8775;
constexpr std::int64_t largest_weight = std::int64_t{1} << 20;

// Finds the groups and clusters with an uplink around each cluster, from the outside in.
void collect(const Level& level, std::vector<const Level*>& around, std::vector<std::vector<const Level*>>& found) {
  const bool limited = level.uplink.value > 0;
  if (limited) around.push_back(&level);
  if (level.kind == Level::Kind::cluster) {
    found.push_back(around);
  } else {
    for (const Level& child : level.children) collect(child, around, found);
  }
  if (limited) around.pop_back();
}

// The assumed port rate of a host that is alone in its cluster and was not measured: the rate of its fastest link. A
// higher rate would allow full-rate messages to all partners at once.
BytesPerSecond fastest_link(const Platform& platform, int cluster, int clusters) {
  BytesPerSecond fastest = 0;
  for (int other = 0; other < clusters; ++other) {
    if (other == cluster) continue;
    const Link& link = platform.links[link_index(cluster, other, clusters)];
    fastest = std::max({fastest, link.rate.value, link.total.value});
  }
  return fastest;
}

// The total that the messages between two clusters share; 0: none is known. Several messages that did not slow each
// other down have shown a limit only if they filled the cards of one of the clusters. `cards`: the rate of all cards of
// each cluster together.
BytesPerSecond limit_of(const Link& link, const std::vector<BytesPerSecond>& cards) {
  const auto by_hosts = std::min(cards[static_cast<std::size_t>(link.a)], cards[static_cast<std::size_t>(link.b)]);
  const bool limited = link.flows < 2 || slowed_each_other(link.rate.value, link.flows, link.total.value) ||
                       !falls_short(link.total.value, by_hosts);
  return limited ? link.total.value : 0;
}

std::int64_t weight_of(Picoseconds time) {
  constexpr Picoseconds unit = picoseconds_per_second / 10;
  return std::clamp<std::int64_t>(unit / std::max<Picoseconds>(time, 1), 1, largest_weight);
}

bool contains(const std::vector<const Level*>& levels, const Level* level) {
  return std::ranges::find(levels, level) != levels.end();
}

}  // namespace

PlatformNetwork::PlatformNetwork(const Platform& platform, const Ports& ports)
    : routes_(platform), ports_(ports), clusters_(static_cast<int>(clusters(platform.levels).size())) {
  std::vector<int> cluster_of_host(platform.hosts.size());
  for (Rank rank = 0; rank < platform.ranks(); ++rank) {
    cluster_of_host[static_cast<std::size_t>(routes_.host_of(rank))] = routes_.cluster_of(rank);
  }
  std::vector<int> hosts_of(static_cast<std::size_t>(clusters_), 0);
  std::vector<BytesPerSecond> cards(hosts_of.size(), 0);
  for (const int cluster : cluster_of_host) ++hosts_of[static_cast<std::size_t>(cluster)];
  for (std::size_t h = 0; h < platform.hosts.size(); ++h) {
    BytesPerSecond rate = platform.hosts[h].rate.value;
    const bool alone = hosts_of[static_cast<std::size_t>(cluster_of_host[h])] == 1;
    if (rate <= 0 && alone) rate = fastest_link(platform, cluster_of_host[h], clusters_);
    cards[static_cast<std::size_t>(cluster_of_host[h])] += rate;
    window_times_.push_back(rate > 0 ? transfer_time(window_bytes, rate) : 0);
    hosts_.emplace_back();
    if (ports.together.empty()) continue;
    if (platform.hosts[h].exchange.value > 0) hosts_.back().inside = add_link(platform.hosts[h].exchange.value);
    if (platform.hosts[h].message.value > 0) hosts_.back().cores = hosts_.back().inside;
    if (rate <= 0) continue;
    const int together = ports.together[static_cast<std::size_t>(cluster_of_host[h])];
    const BytesPerSecond port = std::max<BytesPerSecond>(part_of(rate, together), 1);
    hosts_.back().out = add_link(port);
    hosts_.back().in = add_link(port);
  }
  std::vector<std::vector<const Level*>> around;
  std::vector<const Level*> none;
  collect(platform.levels, none, around);
  std::map<const Level*, Port> uplinks;
  for (const auto& levels : around) {
    for (const Level* level : levels) {
      if (uplinks.contains(level)) continue;
      uplinks[level] = {.out = add_link(level->uplink.value), .in = add_link(level->uplink.value)};
    }
  }
  std::vector<int> backbones;  // by cluster; -1: no limit
  for (const Level* cluster : clusters(platform.levels)) {
    backbones.push_back(cluster->backbone.value > 0 ? add_link(cluster->backbone.value) : -1);
  }
  const auto add_backbone = [&](std::vector<int>& links, int cluster) {
    if (backbones[static_cast<std::size_t>(cluster)] >= 0)
      links.push_back(backbones[static_cast<std::size_t>(cluster)]);
  };
  const std::vector<GroupBackbone> of_groups = group_backbones(platform.levels);
  std::vector<int> of_groups_links;
  for (const GroupBackbone& backbone : of_groups) of_groups_links.push_back(add_link(backbone.group->backbone.value));
  std::map<std::pair<int, int>, std::vector<int>> lines;  // by sender's and receiver's cluster
  for (const SharedLine& line : platform.lines) {
    const Port ends{.out = add_link(line.rate.value), .in = add_link(line.rate.value)};
    for (const auto& [from, to] : line.pairs) {
      lines[{from, to}].push_back(ends.out);
      lines[{to, from}].push_back(ends.in);
    }
  }
  between_.resize(static_cast<std::size_t>(clusters_) * static_cast<std::size_t>(clusters_));
  for (int a = 0; a < clusters_; ++a) {
    for (int b = 0; b < clusters_; ++b) {
      std::vector<int>& links = between_[static_cast<std::size_t>(a * clusters_ + b)];
      add_backbone(links, a);
      if (a == b) continue;
      const auto& from = around[static_cast<std::size_t>(a)];
      const auto& to = around[static_cast<std::size_t>(b)];
      for (const Level* level : from) {
        if (!contains(to, level)) links.push_back(uplinks[level].out);
      }
      const Link& link = platform.links[link_index(a, b, clusters_)];
      if (const BytesPerSecond limit = limit_of(link, cards); limit > 0) links.push_back(add_link(limit));
      if (const auto shared = lines.find({a, b}); shared != lines.end()) {
        links.insert(links.end(), shared->second.begin(), shared->second.end());
      }
      for (const Level* level : to) {
        if (!contains(from, level)) links.push_back(uplinks[level].in);
      }
      add_backbone(links, b);
      for (std::size_t g = 0; g < of_groups.size(); ++g) {
        if (of_groups[g].carries(a, b)) links.push_back(of_groups_links[g]);
      }
    }
  }
}

int PlatformNetwork::link_back(int from, int to, int otherwise) const {
  if (from == to || ports_.link_back.empty()) return otherwise;
  const int known = ports_.link_back[link_index(std::min(from, to), std::max(from, to), clusters_)];
  return known > 0 ? known : otherwise;
}

const std::vector<int>& PlatformNetwork::between(int from, int to) const {
  return between_[static_cast<std::size_t>(from * clusters_ + to)];
}

bool PlatformNetwork::shares(Rank from, Rank to) const {
  const auto has_port = [&](Rank rank) { return hosts_[static_cast<std::size_t>(routes_.host_of(rank))].out >= 0; };
  if (routes_.host_of(from) == routes_.host_of(to)) return false;
  return has_port(from) || has_port(to) || !between(routes_.cluster_of(from), routes_.cluster_of(to)).empty();
}

void PlatformNetwork::find_route(Rank from, Rank to, Route& route) const {
  route.uses.clear();
  route.weight = 1;
  const int a = routes_.host_of(from);
  const int b = routes_.host_of(to);
  if (a == b) {
    const int inside = hosts_[static_cast<std::size_t>(a)].inside;
    if (inside < 0 || from == to) return;
    route.uses.push_back({inside, whole});
    route.weight = weight_of(routes_.latency(from, to));
    return;
  }
  const int from_cluster = routes_.cluster_of(from);
  const int to_cluster = routes_.cluster_of(to);
  const auto add = [&](int link, int part) {
    if (link < 0 || part <= 0) return;
    const auto used = std::ranges::find(route.uses, link, &Use::link);
    if (used == route.uses.end()) {
      route.uses.push_back({link, part});
    } else {
      used->part += part;  // a backbone, which is one link both ways
    }
  };
  const Port& sender = hosts_[static_cast<std::size_t>(a)];
  const Port& receiver = hosts_[static_cast<std::size_t>(b)];
  add(sender.out, whole);
  for (const int link : between(from_cluster, to_cluster)) add(link, whole);
  add(receiver.in, whole);
  for (const int cores : {sender.cores, receiver.cores}) add(cores, whole / 2);
  const int back = ports_.back.empty() ? 0 : ports_.back[static_cast<std::size_t>(to_cluster)];
  add(receiver.out, back);
  if (const int part = link_back(from_cluster, to_cluster, back); part > 0) {
    for (const int link : between(to_cluster, from_cluster)) {
      const bool both_ways = std::ranges::find(route.uses, link, &Use::link) != route.uses.end();  // a backbone
      add(link, both_ways ? back : part);
    }
  }
  add(sender.in, back);

  Picoseconds time = routes_.latency(from, to);
  for (const int host : {a, b}) time = plus(time, window_times_[static_cast<std::size_t>(host)]);
  route.weight = weight_of(time);
}

int thousandths_of(std::int64_t figure, std::int64_t part) {
  constexpr double most = 1e6;  // bound for a figure close to 0
  const double share = static_cast<double>(Network::whole) * static_cast<double>(part) / static_cast<double>(figure);
  return static_cast<int>(std::lround(std::clamp(share, 0.0, most)));
}

}  // namespace tombolo
