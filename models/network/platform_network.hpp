#pragma once

#include <cstdint>
#include <vector>

#include <tombolo/models/network/network.hpp>
#include <tombolo/platform.hpp>
#include <tombolo/platform/description/routes.hpp>

namespace tombolo {

/// The shared links of a platform: in each direction ports of hosts, uplinks of groups and clusters, links between
/// clusters, and lines that several of these share; for both directions together backbones; the cores of a host whose
/// ranks outnumber them, which carry messages inside it (Host::exchange) and have half as much to do at each end of a
/// message to or from another host. A link without a known rate is not shared, except the port of a host that is alone
/// in its cluster, which gets the rate of the fastest of its links. The weight of a flow is the inverse of its latency
/// plus the time of 8,775 bytes on its two ports, as TCP shares a link (Velho and Legrand 2009).
class PlatformNetwork final : public Network {
 public:
  /// Parameters of ports under concurrent messages, which the platform does not describe.
  struct Ports {
    /// By cluster: the rate of a host's port for concurrent messages, in thousandths of its rate for one message.
    std::vector<int> together;
    /// By cluster of the receiver: the rate of acknowledgements on the reverse path, in thousandths of the flow's rate.
    std::vector<int> back;
    /// By link between clusters: what a message takes of the links of the way back, in thousandths of its rate: 1000
    /// where both directions are one link; 0, or an empty list, as `back` says.
    std::vector<int> link_back = {};
    bool operator==(const Ports&) const = default;
  };
  /// With empty `ports`, hosts' ports are not shared, only uplinks and links between clusters.
  PlatformNetwork(const Platform& platform, const Ports& ports);

  void find_route(Rank from, Rank to, Route& route) const override;
  /// True if a message between the two ranks uses a shared link.
  bool shares(Rank from, Rank to) const;

 private:
  struct Port {
    int out = -1;  // -1: not shared
    int in = -1;
    int inside = -1;  // what messages inside the host share
    int cores = -1;   // the same where messages to other hosts take half as much of it
  };
  /// The shared links from the sender's cluster to the receiver's, or inside the one cluster of both, in path order.
  const std::vector<int>& between(int from, int to) const;
  /// What a message between the two takes of the links of the way back; `otherwise` where that is not known.
  int link_back(int from, int to, int otherwise) const;

  Routes routes_;
  Ports ports_;
  std::vector<Port> hosts_;
  std::vector<Picoseconds> window_times_;  // of TCP's window on each host's port
  int clusters_ = 0;
  std::vector<std::vector<int>> between_;  // by from * clusters_ + to
};

/// The part of a time or a rate that these thousandths of it (Network::whole) are. Does not overflow, as times and
/// rates are far above 1000.
constexpr std::int64_t part_of(std::int64_t figure, int thousandths) {
  return figure / Network::whole * thousandths;
}

/// The inverse: how many thousandths of a figure a part of it is, 0 to a million; rounded.
int thousandths_of(std::int64_t figure, std::int64_t part);

}  // namespace tombolo
