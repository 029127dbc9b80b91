#include <algorithm>
#include <queue>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include <tombolo/platform/error.hpp>
#include <tombolo/platform/simgrid/fabric.hpp>
#include <tombolo/platform/simgrid/figures.hpp>

namespace tombolo::simgrid {

void RouteFinder::append(int from, int to, std::vector<int>& wires) {
  // The ancestors of both ends in the innermost zone that contains both ends.
  int a = from;
  int b = to;
  while (zone_of(a) != zone_of(b)) {
    const int difference = depth(a) - depth(b);
    if (difference >= 0) a = parent(a);
    if (difference <= 0) b = parent(b);
  }
  const Zone& zone = network_.zone(zone_of(a));
  if (zone.routing == Zone::Routing::star) return append_in_star(zone, a, b, wires);
  if (zone.routing == Zone::Routing::full) {
    const auto found = zone.routes.find(ends(a, b));
    if (found == zone.routes.end() && a == b) return;  // SimGrid's own loopback
    if (found == zone.routes.end()) no_route(a, b);
    const Path& way = found->second;
    if (a != from) append_to_gateway(from, way.gateway_from, wires);
    wires.insert(wires.end(), way.wires.begin(), way.wires.end());
    if (b != to) append_to_gateway(way.gateway_to, to, wires);
    return;
  }
  const Path way = path(a, b);
  if (a != from) append_to_gateway(from, way.gateway_from, wires);
  wires.insert(wires.end(), way.wires.begin(), way.wires.end());
  if (b != to) append_to_gateway(way.gateway_to, to, wires);
}

// Cached, since hosts share a few gateways; paths between hosts would be too many.
void RouteFinder::append_to_gateway(int from, int to, std::vector<int>& wires) {
  if (from == to) return;
  const auto key = ends(from, to);
  auto found = to_gateways_.find(key);
  if (found == to_gateways_.end()) {
    std::vector<int> way;
    append(from, to, way);
    found = to_gateways_.emplace(key, std::move(way)).first;
  }
  wires.insert(wires.end(), found->second.begin(), found->second.end());
}

void RouteFinder::append_in_star(const Zone& zone, int from, int to, std::vector<int>& wires) const {
  const Leg none;
  const auto leg = [&](int point) -> const Leg& {
    const auto found = zone.legs.find(point);
    return found == zone.legs.end() ? none : found->second;
  };
  const auto begin = static_cast<std::ptrdiff_t>(wires.size());
  const auto pass = [&](const std::vector<int>& stretch) {
    for (const int wire : stretch) {  // a message passes the backbone once, though it is on both legs
      if (std::find(wires.begin() + begin, wires.end(), wire) == wires.end()) wires.push_back(wire);
    }
  };
  if (from == to && !leg(from).loopback.empty()) return pass(leg(from).loopback);
  pass(leg(from).up);
  pass(leg(to).down);
}

Path RouteFinder::path(int from, int to) {
  const int zone = zone_of(from);
  if (network_.zone(zone).routing == Zone::Routing::shortest) return shortest(zone, from, to);
  if (from != to) no_route(from, to);
  return {};
}

Path RouteFinder::shortest(int zone, int from, int to) {
  const auto& stated = network_.zone(zone).routes;
  if (from == to) {
    const auto found = stated.find(ends(from, to));
    return found == stated.end() ? Path{} : found->second;
  }
  const Tree& found = tree(zone, from);
  std::vector<const Path*> hops;
  for (int at = to; at != from;) {
    const auto hop = found.find(at);
    if (hop == found.end()) no_route(from, to);
    hops.push_back(hop->second.path);
    at = hop->second.from;
  }
  std::reverse(hops.begin(), hops.end());
  Path whole{.gateway_from = hops.front()->gateway_from, .gateway_to = hops.back()->gateway_to, .wires = {}};
  for (std::size_t h = 0; h < hops.size(); ++h) {
    // Crosses an intermediate zone, from the gateway of entry to the gateway of exit.
    if (h > 0 && hops[h - 1]->gateway_to >= 0) {
      append_to_gateway(hops[h - 1]->gateway_to, hops[h]->gateway_from, whole.wires);
    }
    whole.wires.insert(whole.wires.end(), hops[h]->wires.begin(), hops[h]->wires.end());
  }
  return whole;
}

const RouteFinder::Graph& RouteFinder::graph(int zone) {
  const auto [at, is_new] = graphs_.try_emplace(zone);
  Graph& hops = at->second;
  if (is_new) {
    for (const auto& [key, way] : network_.zone(zone).routes) {
      const auto from = static_cast<int>(key >> 32);
      hops[from].push_back({.to = static_cast<int>(key & 0xffffffffU), .from = from, .path = &way});
    }
    for (auto& [from, all] : hops) {
      std::sort(all.begin(), all.end(), [](const Hop& a, const Hop& b) { return a.to < b.to; });
    }
  }
  return hops;
}

// Dijkstra's algorithm; as in SimGrid, the length of a path is its number of links.
const RouteFinder::Tree& RouteFinder::tree(int zone, int from) {
  const auto [at, is_new] = trees_.try_emplace(from);
  Tree& found = at->second;
  if (!is_new) return found;
  const Graph& hops = graph(zone);
  using Candidate = std::tuple<std::size_t, int, const Hop*>;  // length, point, last hop
  std::priority_queue<Candidate, std::vector<Candidate>, std::greater<>> open;
  const auto leave = [&](int point, std::size_t length) {
    const auto out = hops.find(point);
    if (out == hops.end()) return;
    for (const Hop& hop : out->second) {
      if (!found.contains(hop.to)) open.emplace(length + hop.path->wires.size(), hop.to, &hop);
    }
  };
  found[from] = {};
  leave(from, 0);
  while (!open.empty()) {
    const auto [length, point, hop] = open.top();
    open.pop();
    if (found.try_emplace(point, *hop).second) leave(point, length);
  }
  return found;
}

void RouteFinder::no_route(int from, int to) const {
  throw Error(
      fmt::format("{}: no route from {} to {}", network_.source, network_.point(from).name, network_.point(to).name),
      "describe one in the zone that holds both");
}

Fabric::Fabric(const Network& network, std::vector<int> machines)
    : network_(network), machines_(std::move(machines)), finder_(network) {}

std::span<const int> Fabric::route(int from, int to) {
  wires_.clear();
  finder_.append(point(from), point(to), wires_);
  return wires_;
}

Picoseconds Fabric::latency(int from, int to) {
  Picoseconds sum = 0;
  for (const int wire : route(from, to)) sum = plus(sum, network_.wire(wire).latency);
  if (sum > longest_latency) {
    throw Error(fmt::format("{}: the route from {} to {} takes more than {:g} s", network_.source, name(from), name(to),
                            seconds(longest_latency)),
                "check the latencies on it");
  }
  return sum;
}

}  // namespace tombolo::simgrid
