#include <algorithm>
#include <string>
#include <utility>

#include <fmt/format.h>
#include <pugixml.hpp>

#include <tombolo/platform/error.hpp>
#include <tombolo/platform/posix_file.hpp>
#include <tombolo/platform/simgrid/builder.hpp>
#include <tombolo/platform/simgrid/cluster.hpp>
#include <tombolo/platform/simgrid/reader.hpp>
#include <tombolo/platform/simgrid/routes_element.hpp>

namespace tombolo::simgrid {

namespace {

[[noreturn]] void unknown(const Element& element) {
  element.fail("this is not understood", "describe the platform with hosts, clusters, links, routes and zones");
}

// What says nothing about speed.
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

// The backbone is on the legs of all hosts that come after it.
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
