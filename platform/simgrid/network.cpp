#include <algorithm>
#include <string>
#include <utility>

#include <fmt/format.h>
#include <pugixml.hpp>

#include <tombolo/platform/error.hpp>
#include <tombolo/platform/simgrid/builder.hpp>
#include <tombolo/platform/simgrid/element.hpp>
#include <tombolo/platform/simgrid/figures.hpp>
#include <tombolo/platform/simgrid/network.hpp>
#include <tombolo/platform/system/posix_file.hpp>

namespace tombolo::simgrid {

namespace {

// Returns the policy of an attribute (SHARED, SPLITDUPLEX or FATPIPE), `usual` if the attribute is missing.
Policy policy_of(const Element& element, const char* attribute, Policy usual) {
  if (element.text(attribute).empty()) return usual;
  const std::string_view word = element.choice(attribute, {"SHARED", "SPLITDUPLEX", "FATPIPE"});
  if (word == "SHARED") return Policy::shared;
  return word == "FATPIPE" ? Policy::fat_pipe : Policy::split_duplex;
}

// Adds the zone of a `<cluster>`: a star of equal hosts, with an optional backbone shared by its legs. Creates the same
// links as SimGrid; their order on a leg does not matter here.
void add_cluster(Builder& builder, const Element& element, int parent) {
  element.allow({"id", "prefix", "suffix", "radical", "speed", "pstate", "core", "bw", "lat", "sharing_policy", "bb_bw",
                 "bb_lat", "bb_sharing_policy", "router_id", "limiter_link", "loopback_bw", "loopback_lat",
                 "topology"});
  element.choice("topology", {"FLAT"});
  const std::string id = element.id("id");
  const std::string prefix(element.text("prefix"));
  const std::string suffix(element.text("suffix"));
  const auto numbers = radical(element.text("radical"), most_hosts);
  if (!numbers) {
    element.fail(fmt::format("radical {} is not a list of host numbers", tombolo::quoted(element.text("radical"))),
                 fmt::format("write it as 0-19,25, for at most {} hosts", most_hosts));
  }
  const FlopsPerSecond speed = element.speed();
  const int cores = element.cores();
  const BytesPerSecond rate = element.bandwidth("bw");
  const Picoseconds latency = element.latency("lat");
  const Policy policy = policy_of(element, "sharing_policy", Policy::split_duplex);
  const auto limit = element.optional_bandwidth("limiter_link");

  const int zone = builder.add_zone(element, id, Zone::Routing::star, parent);
  std::vector<int> backbone;
  const auto backbone_latency = element.optional_latency("bb_lat");
  if (backbone_latency || !element.text("bb_bw").empty()) {
    const Policy shared = policy_of(element, "bb_sharing_policy", Policy::shared);
    const BytesPerSecond backbone_rate = element.bandwidth("bb_bw");
    backbone.push_back(builder.add_cable(id + "_backbone", backbone_rate, backbone_latency.value_or(0), shared).up);
  }
  builder.add_router(
      element, element.text("router_id").empty() ? prefix + id + "_router" + suffix : element.id("router_id"), zone);
  const auto loopback_rate = element.optional_bandwidth("loopback_bw");
  const auto loopback_latency = element.optional_latency("loopback_lat");

  for (const std::int64_t number : *numbers) {
    const int host = builder.add_host(element, fmt::format("{}{}{}", prefix, number, suffix), zone, speed, cores);
    const Cable link = builder.add_cable(fmt::format("{}_link_{}", id, number), rate, latency, policy);
    Leg leg{.up = {link.up}, .down = {link.down}, .loopback = {}};
    if (limit) {
      const int limiter =
          builder.add_cable(fmt::format("{}_link_{}_limiter", id, number), *limit, 0, Policy::shared).up;
      leg.up.push_back(limiter);
      leg.down.push_back(limiter);
    }
    leg.up.insert(leg.up.end(), backbone.begin(), backbone.end());
    leg.down.insert(leg.down.end(), backbone.begin(), backbone.end());
    if (loopback_rate) {
      leg.loopback.push_back(builder
                                 .add_cable(fmt::format("{}_link_{}_loopback", id, number), *loopback_rate,
                                            loopback_latency.value_or(0), Policy::fat_pipe)
                                 .up);
    }
    builder.zone(zone).legs[host] = std::move(leg);
  }
}

[[noreturn]] void unknown(const Element& element) {
  element.fail("this is not understood", "describe the platform with hosts, clusters, links, routes and zones");
}

// Returns true for an element without influence on speed.
bool is_remark(const Element& element) {
  return element.name() == "prop" || element.name() == "config";
}

Zone::Routing routing_of(const Element& element) {
  const std::string_view word =
      element.choice("routing", {"Full", "Cluster", "None", "Floyd", "Dijkstra", "DijkstraCache"});
  if (element.text("routing").empty()) element.fail("no routing", "add routing=\"Full\" or another");
  if (word == "Full") return Zone::Routing::full;
  if (word == "Cluster") return Zone::Routing::star;
  return word == "None" ? Zone::Routing::none : Zone::Routing::shortest;
}

void add_host(Builder& builder, const Element& element, int zone) {
  element.allow({"id", "speed", "core", "pstate", "coordinates"});
  for (const Element& child : element.children()) {
    if (!is_remark(child) && child.name() != "disk" && child.name() != "mount") unknown(child);
  }
  builder.add_host(element, element.id("id"), zone, element.speed(), element.cores());
}

void add_router(Builder& builder, const Element& element, int zone) {
  element.allow({"id", "coordinates"});
  builder.add_router(element, element.id("id"), zone);
}

void add_link(Builder& builder, const Element& element) {
  element.allow({"id", "bandwidth", "latency", "sharing_policy"});
  for (const Element& child : element.children()) {
    if (!is_remark(child)) unknown(child);
  }
  const Picoseconds latency = element.optional_latency("latency").value_or(0);
  builder.add_link(element, element.id("id"), element.bandwidth("bandwidth"), latency,
                   policy_of(element, "sharing_policy", Policy::shared));
}

// Adds a backbone, which is on the legs of all later hosts.
int add_backbone(Builder& builder, const Element& element) {
  element.allow({"id", "bandwidth", "latency"});
  const std::string id = element.id("id");
  builder.add_link(element, id, element.bandwidth("bandwidth"), element.latency("latency"), Policy::shared);
  return builder.link(element, id).up;
}

void add_zone(Builder& builder, const Element& element, int parent) {
  element.allow({"id", "routing"});
  const Zone::Routing routing = routing_of(element);
  const int zone = builder.add_zone(element, element.id("id"), routing, parent);
  const bool star = routing == Zone::Routing::star;
  std::vector<int> backbone;
  for (const Element& child : element.children()) {
    const std::string_view tag = child.name();
    if (tag == "host") {
      add_host(builder, child, zone);
    } else if (tag == "link") {
      add_link(builder, child);
    } else if (tag == "router") {
      add_router(builder, child, zone);
    } else if (star && tag == "host_link") {
      add_leg(builder, child, zone, backbone);
    } else if (star && tag == "route") {
      add_loopback(builder, child, zone);
    } else if (star && tag == "backbone") {
      backbone.push_back(add_backbone(builder, child));
    } else if (!star && tag == "cluster") {
      add_cluster(builder, child, zone);
    } else if (!star && (tag == "zone" || tag == "AS")) {
      add_zone(builder, child, zone);
    } else if (!star && tag == "route") {
      add_route(builder, child, zone);
    } else if (!star && (tag == "zoneRoute" || tag == "ASroute")) {
      add_zone_route(builder, child, zone);
    } else if (!is_remark(child)) {
      unknown(child);
    }
  }
}

void parse(pugi::xml_document& document, const Source& source) {
  const pugi::xml_parse_result parsed = document.load_buffer(source.text.data(), source.text.size());
  if (parsed) return;
  throw Error(fmt::format("{}, line {}: {}", source.name, line_at(source.text, parsed.offset), parsed.description()),
              "give a SimGrid platform description, in XML");
}

}  // namespace

Network read_network(const Source& source) {
  pugi::xml_document document;
  parse(document, source);
  const Element root(document.document_element(), source);
  if (root.name() != "platform") {
    throw Error(fmt::format("{} is not a platform description: its element is <{}>", source.name,
                            printable(std::string(root.name()))),
                "give one of SimGrid, with <platform version=\"4.1\">");
  }
  root.allow({"version"});
  if (root.text("version") != "4.1" && root.text("version") != "4") {
    root.fail(fmt::format("version {}", tombolo::quoted(root.text("version"))),
              "bring it to version 4.1 by simgrid_update_xml");
  }
  Network network;
  network.source = source.name;
  Builder builder(network);
  for (const Element& child : root.children()) {
    if (is_remark(child)) continue;
    const bool is_zone = child.name() == "zone" || child.name() == "AS";
    if (!is_zone && child.name() != "cluster") unknown(child);
    if (!network.zones.empty()) child.fail("a second outermost zone", "put all into one zone");
    if (is_zone) {
      add_zone(builder, child, -1);
    } else {
      add_cluster(builder, child, -1);
    }
  }
  if (network.machines.empty()) throw Error(source.name + " describes no host", "add a host to it");
  return network;
}

}  // namespace tombolo::simgrid
