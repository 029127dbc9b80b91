#include <algorithm>
#include <limits>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <pugixml.hpp>

#include <tombolo/platform.hpp>
#include <tombolo/platform/description/backbones.hpp>
#include <tombolo/platform/simgrid/fabric.hpp>
#include <tombolo/platform/simgrid/simgrid_write.hpp>
#include <tombolo/platform/system/posix_file.hpp>
#include <tombolo/units.hpp>

namespace tombolo::simgrid {

namespace {

// Generates unique names that are valid in a description.
class Names {
 public:
  // Returns the wanted name if it is valid and free, else a similar one.
  std::string take(const std::string& wanted) {
    std::string name = wanted.empty() ? "zone" : wanted;
    for (char& c : name) {
      if (c < ' ' || c > '~') c = '_';
    }
    std::string free = name;
    for (int i = 2; !taken_.insert(free).second; ++i) free = fmt::format("{}-{}", name, i);
    return free;
  }

 private:
  std::set<std::string> taken_;
};

// The element of a link; rate 0: no limit.
struct LinkElement {
  std::string id;
  BytesPerSecond rate = 0;
  Picoseconds latency = 0;
  const char* policy = "SHARED";
};

constexpr std::size_t most_hosts_in_pairs = 512;  // limit for explicit routes of all pairs

std::string up(const std::string& host) {
  return host + "-up";
}

std::string down(const std::string& host) {
  return host + "-down";
}

void set(pugi::xml_node& node, const char* attribute, const std::string& value) {
  node.append_attribute(attribute).set_value(value.c_str());
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

// Adds a route element, symmetrical by default, and returns it; add the links with pass().
pugi::xml_node add_route(pugi::xml_node& zone, const std::string& from, const std::string& to) {
  pugi::xml_node route = zone.append_child("route");
  set(route, "src", from);
  set(route, "dst", to);
  return route;
}

// Appends a link to a route; `direction`: UP, DOWN or nullptr.
void pass(pugi::xml_node& route, const std::string& link, const char* direction = nullptr) {
  pugi::xml_node node = route.append_child("link_ctn");
  set(node, "id", link);
  if (direction != nullptr) set(node, "direction", direction);
}

// Returns the core speed for which reading the description gives the ranks' speeds.
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

void add_backbone(pugi::xml_node& zone, const std::string& id, BytesPerSecond rate) {
  pugi::xml_node node = zone.append_child("backbone");
  set(node, "id", id);
  set(node, "bandwidth", fmt::format("{}Bps", rate));
  set(node, "latency", "0s");
}

void add_loopback(pugi::xml_node& zone, const Level& host) {
  if (host.ranks.size() < 2) return;
  pugi::xml_node route = add_route(zone, host.name, host.name);
  pass(route, host.name + "-loopback");
}

// Adds explicit routes of all pairs: the routes of a star are its legs, so a link between hosts that is not on their
// way out needs a route for each pair.
void add_routes_in_pairs(pugi::xml_node& zone, const Level& cluster, const std::string& middle,
                         const std::string& backbone, const std::string& router) {
  const auto pass_backbone = [&](pugi::xml_node& route) {
    if (cluster.backbone.value > 0) pass(route, backbone);
  };
  for (const Level& from : cluster.children) {
    for (const Level& to : cluster.children) {
      if (&from == &to) continue;
      pugi::xml_node route = add_route(zone, from.name, to.name);
      set(route, "symmetrical", "NO");
      pass(route, up(from.name));
      pass_backbone(route);
      pass(route, middle);
      pass(route, down(to.name));
    }
    pugi::xml_node out = add_route(zone, from.name, router);
    set(out, "symmetrical", "NO");
    pass(out, up(from.name));
    pass_backbone(out);
    pugi::xml_node in = add_route(zone, router, from.name);
    set(in, "symmetrical", "NO");
    pass_backbone(in);
    pass(in, down(from.name));
  }
}

// Adds the zone of a cluster with the name `id` and the router `id`-router as its gateway. Throws Error for a cluster
// of more than 512 hosts whose hosts are farther from each other than from the router.
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
  const std::string backbone = id + "-backbone";
  const bool limited = cluster.backbone.value > 0;
  if (!star && limited) add_link(zone, {.id = backbone, .rate = cluster.backbone.value, .policy = "SHARED"});
  if (star) add_legs(zone, cluster);
  if (star && limited) add_backbone(zone, backbone, cluster.backbone.value);
  for (const Level& host : cluster.children) add_loopback(zone, host);  // SimGrid requires routes last
  if (!star) add_routes_in_pairs(zone, cluster, middle, backbone, router);
}

}  // namespace

}  // namespace tombolo::simgrid

namespace tombolo {

namespace {

using simgrid::add_link;
using simgrid::pass;

// A limit on the messages that leave a group or cluster.
struct Uplink {
  std::string id;
  BytesPerSecond rate = 0;
  int first = 0;  // clusters first .. end - 1 are behind the uplink
  int end = 0;

  bool holds(int cluster) const { return cluster >= first && cluster < end; }
};

void collect(const Level& level, simgrid::Names& names, int& clusters, std::vector<Uplink>& found) {
  const std::size_t place = found.size();
  const int first = clusters;
  if (level.uplink.value > 0) {
    found.push_back({.id = names.take(level.name) + "-uplink", .rate = level.uplink.value, .first = first});
  }
  if (level.kind == Level::Kind::cluster) {
    ++clusters;
  } else {
    for (const Level& child : level.children) collect(child, names, clusters, found);
  }
  if (level.uplink.value > 0) found[place].end = clusters;
}

// Returns the uplinks on the route out of a cluster towards another, the innermost first.
std::vector<const Uplink*> on_way(const std::vector<Uplink>& uplinks, int from, int to) {
  std::vector<const Uplink*> found;
  for (const Uplink& uplink : uplinks) {
    if (uplink.holds(from) && !uplink.holds(to)) found.push_back(&uplink);
  }
  std::reverse(found.begin(), found.end());
  return found;
}

// Returns the maximum rate of one host of each cluster; 0 if unknown.
std::vector<BytesPerSecond> best_host_rates(const Platform& platform) {
  std::map<std::string, BytesPerSecond> rates;
  for (const Host& host : platform.hosts) rates[host.name] = host.rate.value;
  std::vector<BytesPerSecond> best;
  for (const Level* cluster : clusters(platform.levels)) {
    BytesPerSecond most = 0;
    bool known = true;
    for (const Level& host : cluster->children) {
      known = known && rates.at(host.name) > 0;
      most = std::max(most, rates.at(host.name));
    }
    best.push_back(known ? most : 0);
  }
  return best;
}

// Returns the link's own limit; 0 if the limit is that of the hosts. A limit is written only once, since SimGrid takes
// every limited link of a route into account.
BytesPerSecond own_rate(const Link& link, const std::vector<BytesPerSecond>& best) {
  const BytesPerSecond a = best[static_cast<std::size_t>(link.a)];
  const BytesPerSecond b = best[static_cast<std::size_t>(link.b)];
  return a > 0 && b > 0 && link.rate.value >= std::min(a, b) ? 0 : link.rate.value;
}

std::string remark(const Platform& platform) {
  std::string text = fmt::format(" {} of {} ranks", printable(platform.origin.source), platform.ranks());
  const auto no_speed = [](const Processor& processor) { return processor.speed == 0; };
  if (std::any_of(platform.processors.begin(), platform.processors.end(), no_speed)) {
    text += "; 1Gf where no speed was measured";
  }
  return text + "; 1000000000MBps where no rate is known ";
}

// Writes the links and routes between clusters into the outermost zone.
class BetweenClusters {
 public:
  // Adds the links: uplinks, backbones, links of pairs of clusters, lines.
  BetweenClusters(pugi::xml_node& zone, const Platform& platform, simgrid::Names& names)
      : zone_(zone), platform_(platform), backbones_(group_backbones(platform.levels)) {
    add_uplinks();
    add_backbones(names);
    add_links();
    add_lines(names);
  }

  // Adds the routes between clusters, whose zones have these ids and routers.
  void add_routes(const std::vector<std::string>& ids, const std::vector<std::string>& routers) {
    for (const Link& link : platform_.links) {
      const auto a = static_cast<std::size_t>(link.a);
      const auto b = static_cast<std::size_t>(link.b);
      pugi::xml_node route = zone_.append_child("zoneRoute");
      simgrid::set(route, "src", ids[a]);
      simgrid::set(route, "dst", ids[b]);
      simgrid::set(route, "gw_src", routers[a]);
      simgrid::set(route, "gw_dst", routers[b]);
      for (const Uplink* uplink : on_way(uplinks_, link.a, link.b)) pass(route, uplink->id, "UP");
      pass(route, id_of(link));
      if (shared_rate(link) > 0) pass(route, id_of(link) + "-all", "UP");
      for (const auto& [id, direction] : lines_[{link.a, link.b}]) pass(route, id, direction);
      for (const Uplink* uplink : on_way(uplinks_, link.b, link.a)) pass(route, uplink->id, "DOWN");
      for (std::size_t g = 0; g < backbones_.size(); ++g) {
        if (backbones_[g].carries(link.a, link.b)) pass(route, backbone_ids_[g]);
      }
    }
  }

 private:
  static std::string id_of(const Link& link) { return fmt::format("link-{}-{}", link.a, link.b); }

  void add_uplinks() {
    simgrid::Names names;
    int count = 0;
    collect(platform_.levels, names, count, uplinks_);
    for (const Uplink& uplink : uplinks_) {
      add_link(zone_, {.id = uplink.id, .rate = uplink.rate, .policy = "SPLITDUPLEX"});
    }
  }

  void add_backbones(simgrid::Names& names) {
    for (const GroupBackbone& backbone : backbones_) {
      backbone_ids_.push_back(names.take(backbone.group->name) + "-backbone");
      add_link(zone_, {.id = backbone_ids_.back(), .rate = backbone.group->backbone.value});
    }
  }

  void add_links() {
    const std::vector<BytesPerSecond> best = best_host_rates(platform_);
    for (const Link& link : platform_.links) {
      add_link(zone_,
               {.id = id_of(link), .rate = own_rate(link, best), .latency = link.latency.value, .policy = "FATPIPE"});
      const BytesPerSecond shared = shared_rate(link);
      if (shared > 0) add_link(zone_, {.id = id_of(link) + "-all", .rate = shared, .policy = "SPLITDUPLEX"});
    }
  }

  void add_lines(simgrid::Names& names) {
    for (const SharedLine& line : platform_.lines) {
      const std::string id = names.take("line");
      add_link(zone_, {.id = id, .rate = line.rate.value, .policy = "SPLITDUPLEX"});
      for (const auto& [from, to] : line.pairs) {
        lines_[std::minmax(from, to)].emplace_back(id, from < to ? "UP" : "DOWN");
      }
    }
  }

  // Returns the shared rate of all messages between two clusters, if it is less than single messages and the uplinks
  // allow; else 0.
  BytesPerSecond shared_rate(const Link& link) const {
    BytesPerSecond others = std::numeric_limits<BytesPerSecond>::max();
    if (link.rate.value > 0 && link.rate.value < others / std::max(link.flows, 1))
      others = link.rate.value * link.flows;
    for (const Uplink& uplink : uplinks_) {
      if (uplink.holds(link.a) != uplink.holds(link.b)) others = std::min(others, uplink.rate);
    }
    return link.total.value > 0 && link.total.value < others ? link.total.value : 0;
  }

  pugi::xml_node& zone_;
  const Platform& platform_;
  std::vector<Uplink> uplinks_;
  std::vector<GroupBackbone> backbones_;
  std::vector<std::string> backbone_ids_;
  std::map<std::pair<int, int>, std::vector<std::pair<std::string, const char*>>> lines_;  // id and direction
};

}  // namespace

std::string to_simgrid(const Platform& platform) {
  pugi::xml_document document;
  pugi::xml_node declaration = document.append_child(pugi::node_declaration);
  simgrid::set(declaration, "version", "1.0");
  document.append_child(pugi::node_doctype).set_value("platform SYSTEM \"https://simgrid.org/simgrid.dtd\"");
  document.append_child(pugi::node_comment).set_value(remark(platform).c_str());
  pugi::xml_node root = document.append_child("platform");
  simgrid::set(root, "version", "4.1");

  simgrid::Names names;
  for (const Host& host : platform.hosts) names.take(host.name);
  const std::vector<const Level*> all = clusters(platform.levels);
  std::vector<std::string> ids;
  for (const Level* cluster : all) ids.push_back(names.take(cluster->name));
  pugi::xml_node zone = root.append_child("zone");
  simgrid::set(zone, "id", names.take(all.size() > 1 ? platform.levels.name : "platform"));
  simgrid::set(zone, "routing", "Full");
  std::vector<std::string> routers;
  for (std::size_t c = 0; c < all.size(); ++c) {
    routers.push_back(names.take(ids[c] + "-router"));
    simgrid::add_cluster_zone(zone, platform, *all[c], ids[c], routers[c]);
  }
  BetweenClusters(zone, platform, names).add_routes(ids, routers);

  std::ostringstream text;
  document.save(text, " ");
  return text.str();
}

std::string to_host_file(const Platform& platform) {
  std::string text;
  for (const Processor& processor : platform.processors) text += processor.host + '\n';
  return text;
}

}  // namespace tombolo
