#include <algorithm>
#include <limits>
#include <map>
#include <sstream>
#include <vector>

#include <fmt/format.h>
#include <pugixml.hpp>

#include <tombolo/platform/simgrid/write_zone.hpp>
#include <tombolo/platform/simgrid_write.hpp>

namespace tombolo {

namespace {

using simgrid::add_link;
using simgrid::pass;

// A limit on what leaves a group or cluster.
struct Uplink {
  std::string id;
  BytesPerSecond rate = 0;
  int first = 0;  // the clusters behind it
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

// The uplinks on the way out of a cluster to another, from the inside out.
std::vector<const Uplink*> on_way(const std::vector<Uplink>& uplinks, int from, int to) {
  std::vector<const Uplink*> found;
  for (const Uplink& uplink : uplinks) {
    if (uplink.holds(from) && !uplink.holds(to)) found.push_back(&uplink);
  }
  std::reverse(found.begin(), found.end());
  return found;
}

// What all messages between two clusters share, where one message alone and the uplinks let more through; else 0.
BytesPerSecond shared_rate(const Link& link, const std::vector<const Uplink*>& out,
                           const std::vector<const Uplink*>& in) {
  BytesPerSecond others = std::numeric_limits<BytesPerSecond>::max();
  if (link.rate.value > 0 && link.rate.value < others / std::max(link.flows, 1)) others = link.rate.value * link.flows;
  for (const auto* uplinks : {&out, &in}) {
    for (const Uplink* uplink : *uplinks) others = std::min(others, uplink->rate);
  }
  return link.total.value > 0 && link.total.value < others ? link.total.value : 0;
}

// What one host of each cluster gets at most; 0 where that is not known.
std::vector<BytesPerSecond> best_host_rates(const Platform& platform, const std::vector<const Level*>& all) {
  std::map<std::string, BytesPerSecond> rates;
  for (const Host& host : platform.hosts) rates[host.name] = host.rate.value;
  std::vector<BytesPerSecond> best;
  for (const Level* cluster : all) {
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

// A limit that is the hosts' own is not written twice: SimGrid weighs every limited link that a message passes.
BytesPerSecond own_rate(const Link& link, const std::vector<BytesPerSecond>& best) {
  const BytesPerSecond a = best[static_cast<std::size_t>(link.a)];
  const BytesPerSecond b = best[static_cast<std::size_t>(link.b)];
  return a > 0 && b > 0 && link.rate.value >= std::min(a, b) ? 0 : link.rate.value;
}

std::string id_of(const Link& link) {
  return fmt::format("link-{}-{}", link.a, link.b);
}

std::string remark(const Platform& platform) {
  std::string text = fmt::format(" {} of {} ranks", platform.origin.source, platform.ranks());
  const auto no_speed = [](const Processor& processor) { return processor.speed == 0; };
  if (std::any_of(platform.processors.begin(), platform.processors.end(), no_speed)) {
    text += "; 1Gf where no speed was measured";
  }
  return text + "; 1000000000MBps where no rate is known ";
}

}  // namespace

std::string to_simgrid(const Platform& platform) {
  pugi::xml_document document;
  pugi::xml_node declaration = document.append_child(pugi::node_declaration);
  declaration.append_attribute("version").set_value("1.0");
  document.append_child(pugi::node_doctype).set_value("platform SYSTEM \"https://simgrid.org/simgrid.dtd\"");
  document.append_child(pugi::node_comment).set_value(remark(platform).c_str());
  pugi::xml_node root = document.append_child("platform");
  root.append_attribute("version").set_value("4.1");

  simgrid::Names names;
  for (const Host& host : platform.hosts) names.take(host.name);
  const std::vector<const Level*> all = clusters(platform.levels);
  std::vector<std::string> ids;
  for (const Level* cluster : all) ids.push_back(names.take(cluster->name));
  pugi::xml_node zone = root.append_child("zone");
  zone.append_attribute("id").set_value(names.take(all.size() > 1 ? platform.levels.name : "platform").c_str());
  zone.append_attribute("routing").set_value("Full");
  std::vector<std::string> routers;
  for (std::size_t c = 0; c < all.size(); ++c) {
    routers.push_back(names.take(ids[c] + "-router"));
    simgrid::add_cluster_zone(zone, platform, *all[c], ids[c], routers[c]);
  }

  std::vector<Uplink> uplinks;
  simgrid::Names uplink_names;
  int count = 0;
  collect(platform.levels, uplink_names, count, uplinks);
  for (const Uplink& uplink : uplinks) add_link(zone, {.id = uplink.id, .rate = uplink.rate, .policy = "SPLITDUPLEX"});
  const std::vector<BytesPerSecond> best = best_host_rates(platform, all);
  for (const Link& link : platform.links) {
    add_link(zone,
             {.id = id_of(link), .rate = own_rate(link, best), .latency = link.latency.value, .policy = "FATPIPE"});
    const BytesPerSecond shared = shared_rate(link, on_way(uplinks, link.a, link.b), on_way(uplinks, link.b, link.a));
    if (shared > 0) add_link(zone, {.id = id_of(link) + "-all", .rate = shared, .policy = "SPLITDUPLEX"});
  }
  for (const Link& link : platform.links) {
    const auto a = static_cast<std::size_t>(link.a);
    const auto b = static_cast<std::size_t>(link.b);
    const auto out = on_way(uplinks, link.a, link.b);
    const auto in = on_way(uplinks, link.b, link.a);
    pugi::xml_node route = zone.append_child("zoneRoute");
    route.append_attribute("src").set_value(ids[a].c_str());
    route.append_attribute("dst").set_value(ids[b].c_str());
    route.append_attribute("gw_src").set_value(routers[a].c_str());
    route.append_attribute("gw_dst").set_value(routers[b].c_str());
    for (const Uplink* uplink : out) pass(route, uplink->id, "UP");
    pass(route, id_of(link));
    if (shared_rate(link, out, in) > 0) pass(route, id_of(link) + "-all", "UP");
    for (const Uplink* uplink : in) pass(route, uplink->id, "DOWN");
  }
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
