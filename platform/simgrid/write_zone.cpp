#include <algorithm>
#include <map>
#include <vector>

#include <fmt/format.h>

#include <tombolo/platform/error.hpp>
#include <tombolo/platform/posix_file.hpp>
#include <tombolo/platform/simgrid/figures.hpp>
#include <tombolo/platform/simgrid/write_zone.hpp>

namespace tombolo::simgrid {

namespace {

constexpr std::size_t most_hosts_in_pairs = 512;  // whose routes are written one by one

std::string up(const std::string& host) {
  return host + "-up";
}

std::string down(const std::string& host) {
  return host + "-down";
}

void set(pugi::xml_node& node, const char* attribute, const std::string& value) {
  node.append_attribute(attribute).set_value(value.c_str());
}

// The speed of a core that gives the host's ranks theirs, as reading a description counts.
double core_speed(const Platform& platform, const Level& host) {
  double sum = 0;
  for (const Rank rank : host.ranks)
    sum += static_cast<double>(platform.processors[static_cast<std::size_t>(rank)].speed);
  const auto ranks = static_cast<double>(host.ranks.size());
  const int cores = platform.processors[static_cast<std::size_t>(host.ranks.front())].cores;
  const double each = std::max(cores / static_cast<int>(host.ranks.size()), 1);
  const double part = std::min(1.0, cores / ranks);
  return sum / ranks / (each * part);
}

void add_host(pugi::xml_node& zone, const Platform& platform, const Level& host) {
  pugi::xml_node node = zone.append_child("host");
  set(node, "id", host.name);
  const double speed = core_speed(platform, host);
  set(node, "speed", speed > 0 ? fmt::format("{}Gf", speed * 1e-9) : "1Gf");
  const int cores = platform.processors[static_cast<std::size_t>(host.ranks.front())].cores;
  if (cores > 1) set(node, "core", std::to_string(cores));
}

void add_links(pugi::xml_node& zone, const Host& host, const Level& level) {
  for (const auto& id : {up(host.name), down(host.name)}) {
    add_link(zone, {.id = id, .rate = host.rate.value, .latency = host.latency.value});
  }
  if (level.ranks.size() < 2) return;
  add_link(
      zone,
      {.id = host.name + "-loopback", .rate = level.rate.value, .latency = level.latency.value, .policy = "FATPIPE"});
}

void add_legs(pugi::xml_node& zone, const Level& cluster) {
  for (const Level& host : cluster.children) {
    pugi::xml_node leg = zone.append_child("host_link");
    set(leg, "id", host.name);
    set(leg, "up", up(host.name));
    set(leg, "down", down(host.name));
  }
}

void add_loopback(pugi::xml_node& zone, const Level& host) {
  if (host.ranks.size() < 2) return;
  pugi::xml_node route = add_route(zone, host.name, host.name);
  pass(route, host.name + "-loopback");
}

// Routes of a star are legs; what lies between hosts, but not on their way out, takes a route for each pair.
void add_routes_in_pairs(pugi::xml_node& zone, const Level& cluster, const std::string& middle,
                         const std::string& router) {
  for (const Level& from : cluster.children) {
    for (const Level& to : cluster.children) {
      if (&from == &to) continue;
      pugi::xml_node route = add_route(zone, from.name, to.name);
      set(route, "symmetrical", "NO");
      pass(route, up(from.name));
      pass(route, middle);
      pass(route, down(to.name));
    }
    pugi::xml_node out = add_route(zone, from.name, router);
    set(out, "symmetrical", "NO");
    pass(out, up(from.name));
    pugi::xml_node in = add_route(zone, router, from.name);
    set(in, "symmetrical", "NO");
    pass(in, down(from.name));
  }
}

}  // namespace

std::string Names::take(const std::string& wanted) {
  std::string name = wanted.empty() ? "zone" : wanted;
  for (char& c : name) {
    if (c < ' ' || c > '~') c = '_';
  }
  std::string free = name;
  for (int i = 2; !taken_.insert(free).second; ++i) free = fmt::format("{}-{}", name, i);
  return free;
}

void add_link(pugi::xml_node& zone, const LinkElement& link) {
  pugi::xml_node node = zone.append_child("link");
  set(node, "id", link.id);
  const BytesPerSecond rate = link.rate > 0 ? link.rate : no_limit;
  constexpr BytesPerSecond mega = 1'000'000;
  set(node, "bandwidth", rate % mega == 0 ? fmt::format("{}MBps", rate / mega) : fmt::format("{}Bps", rate));
  set(node, "latency", fmt::format("{}us", static_cast<double>(link.latency) * 1e-6));
  if (std::string_view(link.policy) != "SHARED") set(node, "sharing_policy", link.policy);
}

pugi::xml_node add_route(pugi::xml_node& zone, const std::string& from, const std::string& to) {
  pugi::xml_node route = zone.append_child("route");
  set(route, "src", from);
  set(route, "dst", to);
  return route;
}

void pass(pugi::xml_node& route, const std::string& link, const char* direction) {
  pugi::xml_node node = route.append_child("link_ctn");
  set(node, "id", link);
  if (direction != nullptr) set(node, "direction", direction);
}

void add_cluster_zone(pugi::xml_node& parent, const Platform& platform, const Level& cluster, const std::string& id,
                      const std::string& router) {
  const bool star = cluster.latency.value == 0;
  if (!star && cluster.children.size() > most_hosts_in_pairs) {
    throw Error(fmt::format("cluster {} of {} hosts has a latency inside of its own, which would take a route for each "
                            "pair",
                            tombolo::quoted(cluster.name), cluster.children.size()),
                "write a platform file instead");
  }
  std::map<std::string, const Host*> hosts;
  for (const Host& host : platform.hosts) hosts[host.name] = &host;
  pugi::xml_node zone = parent.append_child("zone");
  set(zone, "id", id);
  set(zone, "routing", star ? "Cluster" : "Full");
  for (const Level& host : cluster.children) add_host(zone, platform, host);
  pugi::xml_node node = zone.append_child("router");
  set(node, "id", router);
  for (const Level& host : cluster.children) add_links(zone, *hosts.at(host.name), host);
  const std::string middle = id + "-inside";
  if (!star) add_link(zone, {.id = middle, .rate = 0, .latency = cluster.latency.value, .policy = "FATPIPE"});
  if (star) add_legs(zone, cluster);
  for (const Level& host : cluster.children) add_loopback(zone, host);  // SimGrid wants routes last
  if (!star) add_routes_in_pairs(zone, cluster, middle, router);
}

}  // namespace tombolo::simgrid
