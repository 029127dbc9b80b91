#include <algorithm>
#include <string>
#include <utility>

#include <fmt/format.h>

#include <tombolo/platform/simgrid/builder.hpp>
#include <tombolo/platform/simgrid/figures.hpp>
#include <tombolo/platform/system/posix_file.hpp>

namespace tombolo::simgrid {

namespace {

constexpr int deepest = 64;  // maximum nesting of zones

}  // namespace

int Builder::add_point(const Element& at, Point point) {
  const auto number = static_cast<int>(network_.points.size());
  if (!points_.try_emplace(point.name, number).second) {
    at.fail(fmt::format("there is a {} already", tombolo::quoted(point.name)),
            "give each host, router and zone its own name");
  }
  if (point.zone >= 0) zone(point.zone).points.push_back(number);
  network_.points.push_back(std::move(point));
  return number;
}

int Builder::add_zone(const Element& at, const std::string& name, Zone::Routing routing, int parent) {
  const auto number = static_cast<int>(network_.zones.size());
  Zone made;
  made.routing = routing;
  made.depth = parent < 0 ? 0 : zone(parent).depth + 1;
  if (made.depth >= deepest) at.fail(fmt::format("zones in zones, {} deep", deepest), "nest fewer");
  made.point = add_point(at, {.kind = Point::Kind::zone, .name = name, .zone = parent, .number = number});
  network_.zones.push_back(std::move(made));
  return number;
}

int Builder::add_host(const Element& at, const std::string& name, int zone, FlopsPerSecond speed, int cores) {
  if (network_.machines.size() >= most_hosts) {
    at.fail(fmt::format("more than {} hosts", most_hosts), "describe fewer");
  }
  const auto number = static_cast<int>(network_.machines.size());
  const int point = add_point(at, {.kind = Point::Kind::host, .name = name, .zone = zone, .number = number});
  network_.machines.push_back({.point = point, .speed = speed, .cores = cores});
  return point;
}

int Builder::add_router(const Element& at, const std::string& name, int zone) {
  return add_point(at, {.kind = Point::Kind::router, .name = name, .zone = zone, .number = -1});
}

Cable Builder::add_cable(const std::string& name, BytesPerSecond rate, Picoseconds latency, Policy policy) {
  const auto wire = [&](const std::string& called) {
    network_.wires.push_back({.name = called,
                              .rate = rate < no_limit ? rate : unlimited,
                              .latency = latency,
                              .shared = policy != Policy::fat_pipe});
    return static_cast<int>(network_.wires.size() - 1);
  };
  if (policy == Policy::split_duplex) return {.up = wire(name + "_UP"), .down = wire(name + "_DOWN"), .split = true};
  const int both = wire(name);
  return {.up = both, .down = both, .split = false};
}

void Builder::add_name(const Element& at, const std::string& name, Cable cable) {
  if (links_.try_emplace(name, cable).second) return;
  at.fail(fmt::format("there is a link {} already", tombolo::quoted(name)), "give each link its own name");
}

void Builder::add_link(const Element& at, const std::string& name, BytesPerSecond rate, Picoseconds latency,
                       Policy policy) {
  const Cable cable = add_cable(name, rate, latency, policy);
  add_name(at, name, cable);
  if (!cable.split) return;
  add_name(at, name + "_UP", {.up = cable.up, .down = cable.up, .split = false});
  add_name(at, name + "_DOWN", {.up = cable.down, .down = cable.down, .split = false});
}

const Cable& Builder::link(const Element& at, const std::string& name) const {
  const auto found = links_.find(name);
  if (found == links_.end()) {
    at.fail(fmt::format("there is no link {}", tombolo::quoted(name)), "describe it before the routes that pass it");
  }
  return found->second;
}

int Builder::find(const Element& at, const std::string& name) const {
  const auto found = points_.find(name);
  if (found == points_.end()) {
    at.fail(fmt::format("there is no host, router or zone {}", tombolo::quoted(name)),
            "describe it before the routes to it");
  }
  return found->second;
}

bool Builder::lies_in(int point, int zone) const {
  for (int in = network_.point(point).zone; in >= 0; in = network_.point(network_.zone(in).point).zone) {
    if (in == zone) return true;
  }
  return false;
}

namespace {

// The wires of a route and of its reverse, which uses the same links in the other direction.
struct Ways {
  std::vector<int> there;
  std::vector<int> back;
};

Ways ways_of(const Builder& builder, const Element& element) {
  Ways ways;
  for (const Element& child : element.children()) {
    if (child.name() != "link_ctn") child.fail("this is not understood", "list the links of a route by link_ctn");
    child.allow({"id", "direction"});
    const std::string_view direction = child.choice("direction", {"NONE", "UP", "DOWN"});
    const Cable& cable = builder.link(child, child.id("id"));
    if (cable.split && direction == "NONE") {
      child.fail(fmt::format("no direction for {}, whose directions are separate", tombolo::quoted(child.text("id"))),
                 R"(add direction="UP" or "DOWN")");
    }
    ways.there.push_back(direction == "DOWN" ? cable.down : cable.up);
    ways.back.push_back(direction == "DOWN" ? cable.up : cable.down);
  }
  std::reverse(ways.back.begin(), ways.back.end());
  return ways;
}

int end_of(const Builder& builder, const Element& element, const char* attribute, int zone, bool is_zone,
           const Network& network) {
  const int found = builder.find(element, element.id(attribute));
  const Point& point = network.point(found);
  if (point.zone != zone || (point.kind == Point::Kind::zone) != is_zone) {
    element.fail(fmt::format("{} {} is not {} of this zone", attribute, tombolo::quoted(point.name),
                             is_zone ? "a zone" : "a host or router"),
                 "describe a route in the zone that holds both its ends");
  }
  return found;
}

int gateway_of(const Builder& builder, const Element& element, const char* attribute, int zone_point,
               const Network& network) {
  const int found = builder.find(element, element.id(attribute));
  const bool inside = builder.lies_in(found, network.point(zone_point).number);
  if (!inside || network.point(found).kind == Point::Kind::zone) {
    element.fail(
        fmt::format("{} {} is not a host or router in {}", attribute, tombolo::quoted(network.point(found).name),
                    tombolo::quoted(network.point(zone_point).name)),
        "name one that is");
  }
  return found;
}

void add(Builder& builder, const Element& element, int zone, int from, int to, Path path) {
  auto& routes = builder.zone(zone).routes;
  if (!routes.try_emplace(ends(from, to), std::move(path)).second) {
    element.fail(fmt::format("a second route from {} to {}", tombolo::quoted(builder.network().point(from).name),
                             tombolo::quoted(builder.network().point(to).name)),
                 "describe one; a route holds for both directions unless it says symmetrical=\"NO\"");
  }
}

void add_both(Builder& builder, const Element& element, int zone, int from, int to, int gateway_from, int gateway_to) {
  if (builder.zone(zone).routing == Zone::Routing::none) {
    element.fail("a route in a zone without routing", "give the zone routing=\"Full\"");
  }
  const std::string_view symmetrical = element.choice("symmetrical", {"YES", "NO", "yes", "no"});
  Ways ways = ways_of(builder, element);
  add(builder, element, zone, from, to,
      {.gateway_from = gateway_from, .gateway_to = gateway_to, .wires = std::move(ways.there)});
  if (from == to || symmetrical == "NO" || symmetrical == "no") return;
  add(builder, element, zone, to, from,
      {.gateway_from = gateway_to, .gateway_to = gateway_from, .wires = std::move(ways.back)});
}

}  // namespace

void add_route(Builder& builder, const Element& element, int zone) {
  element.allow({"src", "dst", "symmetrical"});
  const Network& network = builder.network();
  const int from = end_of(builder, element, "src", zone, false, network);
  const int to = end_of(builder, element, "dst", zone, false, network);
  add_both(builder, element, zone, from, to, -1, -1);
}

void add_loopback(Builder& builder, const Element& element, int zone) {
  element.allow({"src", "dst", "symmetrical"});
  const Network& network = builder.network();
  const int host = end_of(builder, element, "src", zone, false, network);
  if (end_of(builder, element, "dst", zone, false, network) != host) {
    element.fail("a route between hosts of a zone with routing=\"Cluster\"", "give each a host_link instead");
  }
  builder.zone(zone).legs[host].loopback = ways_of(builder, element).there;
}

void add_zone_route(Builder& builder, const Element& element, int zone) {
  element.allow({"src", "dst", "gw_src", "gw_dst", "symmetrical"});
  const Network& network = builder.network();
  const int from = end_of(builder, element, "src", zone, true, network);
  const int to = end_of(builder, element, "dst", zone, true, network);
  if (from == to) element.fail("a route from a zone to itself", "describe it inside that zone");
  add_both(builder, element, zone, from, to, gateway_of(builder, element, "gw_src", from, network),
           gateway_of(builder, element, "gw_dst", to, network));
}

void add_leg(Builder& builder, const Element& element, int zone, const std::vector<int>& backbone) {
  element.allow({"id", "up", "down"});
  const int host = end_of(builder, element, "id", zone, false, builder.network());
  Leg& leg = builder.zone(zone).legs[host];
  if (!leg.up.empty()) {
    element.fail(fmt::format("a second link for {}", tombolo::quoted(builder.network().point(host).name)),
                 "describe one");
  }
  leg.up.push_back(builder.link(element, element.id("up")).up);
  leg.down.push_back(builder.link(element, element.id("down")).down);
  leg.up.insert(leg.up.end(), backbone.begin(), backbone.end());
  leg.down.insert(leg.down.end(), backbone.begin(), backbone.end());
}

}  // namespace tombolo::simgrid
