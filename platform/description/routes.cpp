#include <algorithm>
#include <map>

#include <tombolo/platform/description/routes.hpp>

namespace tombolo {

namespace {

// Returns the smaller of two rates; an unknown rate, 0, is ignored.
BytesPerSecond slower(BytesPerSecond a, BytesPerSecond b) {
  if (a == 0 || b == 0) return std::max(a, b);
  return std::min(a, b);
}

}  // namespace

Routes::Routes(const Platform& platform)
    : platform_(&platform), places_(platform.processors.size()), clusters_(clusters(platform.levels)) {
  std::map<std::string, int> hosts;
  for (std::size_t h = 0; h < platform.hosts.size(); ++h) hosts[platform.hosts[h].name] = static_cast<int>(h);
  for (std::size_t c = 0; c < clusters_.size(); ++c) {
    for (const Level& host : clusters_[c]->children) {
      std::vector<const Level*> unvisited = {&host};
      while (!unvisited.empty()) {
        const Level* const level = unvisited.back();
        unvisited.pop_back();
        for (const Rank rank : level->ranks) places_[static_cast<std::size_t>(rank)].inside.push_back(level);
        for (const Level& child : level->children) unvisited.push_back(&child);
      }
      for (const Rank rank : host.ranks) {
        places_[static_cast<std::size_t>(rank)].host = hosts.at(host.name);
        places_[static_cast<std::size_t>(rank)].cluster = static_cast<int>(c);
      }
    }
  }
}

const Level& Routes::innermost_of_both(Rank from, Rank to) const {
  const auto& a = places_[static_cast<std::size_t>(from)].inside;
  const auto& b = places_[static_cast<std::size_t>(to)].inside;
  std::size_t depth = 0;
  while (depth + 1 < std::min(a.size(), b.size()) && a[depth + 1] == b[depth + 1]) ++depth;
  return *a[depth];
}

const Link& Routes::link(int a, int b) const {
  return platform_->links[link_index(a, b, static_cast<int>(clusters_.size()))];
}

Picoseconds Routes::latency(Rank from, Rank to) const {
  if (from == to) return 0;
  const int from_host = host_of(from);
  const int to_host = host_of(to);
  if (from_host == to_host) return innermost_of_both(from, to).latency.value;
  return own(from_host) + between(cluster_of(from), cluster_of(to)) + own(to_host);
}

Picoseconds Routes::no_more_than_half(Picoseconds overhead, Rank from, Rank to) const {
  const bool inside = from != to && host_of(from) == host_of(to);
  return inside ? std::min(overhead, latency(from, to) / 2) : overhead;
}

Picoseconds Routes::send_overhead(Rank from, Rank to) const {
  return no_more_than_half(platform_->processors[static_cast<std::size_t>(from)].send_overhead, from, to);
}

Picoseconds Routes::receive_overhead(Rank from, Rank to) const {
  return no_more_than_half(platform_->processors[static_cast<std::size_t>(to)].receive_overhead, from, to);
}

Picoseconds Routes::transit(Rank from, Rank to) const {
  const bool inside = from != to && host_of(from) == host_of(to);
  return inside ? latency(from, to) - receive_overhead(from, to) : plus(send_overhead(from, to), latency(from, to));
}

Picoseconds Routes::between(int a, int b) const {
  return a == b ? clusters_[static_cast<std::size_t>(a)]->latency.value : link(a, b).latency.value;
}

BytesPerSecond Routes::rate(Rank from, Rank to) const {
  const int from_host = host_of(from);
  const int to_host = host_of(to);
  if (from_host == to_host) return innermost_of_both(from, to).rate.value;
  const auto own = [&](int host) { return platform_->hosts[static_cast<std::size_t>(host)].rate.value; };
  const BytesPerSecond hosts = slower(own(from_host), own(to_host));
  const int a = cluster_of(from);
  const int b = cluster_of(to);
  return a == b ? hosts : slower(hosts, link(a, b).rate.value);
}

}  // namespace tombolo
