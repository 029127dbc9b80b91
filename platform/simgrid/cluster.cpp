#include <string>

#include <fmt/format.h>

#include <tombolo/platform/posix_file.hpp>
#include <tombolo/platform/simgrid/cluster.hpp>
#include <tombolo/platform/simgrid/figures.hpp>

namespace tombolo::simgrid {

Policy policy_of(const Element& element, const char* attribute, Policy usual) {
  if (element.text(attribute).empty()) return usual;
  const std::string_view word = element.choice(attribute, {"SHARED", "SPLITDUPLEX", "FATPIPE"});
  if (word == "SHARED") return Policy::shared;
  return word == "FATPIPE" ? Policy::fat_pipe : Policy::split_duplex;
}

// The links as SimGrid makes them; their order on a leg does not matter here.
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

}  // namespace tombolo::simgrid
