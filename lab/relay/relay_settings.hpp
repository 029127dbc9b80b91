#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <tombolo/lab/relay/frame.hpp>
#include <tombolo/lab/relay/pace.hpp>
#include <tombolo/platform/json/node.hpp>

namespace tombolo {

/// What a line between two sites, in one direction, does to frames.
struct RelayShape {
  Nanoseconds delay = 0;      ///< between having been sent and arriving
  std::int64_t rate = 0;      ///< bits per second of Ethernet frames; 0: no limit
  Nanoseconds most_wait = 0;  ///< a frame that would wait longer for its turn is dropped
};

struct RelaySite {
  std::string tap;        ///< the TAP by which its frames come and go
  MacAddress gateway;     ///< to which its hosts send what the relay carries, and from which they get it
  std::int64_t up = 0;    ///< bits per second that its hosts share towards other sites; 0: no limit
  std::int64_t down = 0;  ///< and from them
};

struct RelayHost {
  int site = 0;
  Ipv4Address address = 0;
  MacAddress card{};
};

struct RelayLink {
  int from = 0;
  int to = 0;  ///< may be the same site: what a LAN adds
  RelayShape shape;
};

/// What a relay is told when it starts.
struct RelaySettings {
  std::vector<RelaySite> sites;
  std::vector<RelayHost> hosts;
  std::vector<RelayLink> links;
};

/// Reads
///     {"sites": [{"tap": "wan0", "mac": "02:4d:00:00:00:fe", "up_mbit": 0, "down_mbit": 0}],
///      "hosts": [{"site": 0, "address": "10.77.0.1", "mac": "02:4d:00:00:01:01"}],
///      "links": [{"from": 0, "to": 0, "delay_us": 100, "rate_mbit": 0, "queue_ms": 60}]}
/// Errors, which call it `name`: no JSON, members missing or unknown, figures that cannot be, a host or a link twice.
RelaySettings relay_settings_from(std::string_view text, const std::string& name);

/// One of "links", between sites 0 to sites - 1.
RelayLink relay_link_from(const JsonNode& node, int sites);

}  // namespace tombolo
