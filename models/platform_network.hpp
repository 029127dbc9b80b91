#pragma once

#include <vector>

#include <tombolo/models/network.hpp>
#include <tombolo/platform/platform.hpp>
#include <tombolo/platform/routes.hpp>

namespace tombolo {

/// What the messages of a platform share, in each direction: the ports of hosts, the uplinks of groups and clusters,
/// the links between clusters. What has no known rate is not shared, but the port of a host that is alone in its
/// cluster: that is as fast as the fastest of its links. The weight of a flow is one over its latency and the time that
/// 8,775 bytes take on its two ports, as TCP divides a link (Velho and Legrand 2009).
class PlatformNetwork final : public Network {
 public:
  /// Beyond what the platform says of one message at a time.
  struct Ports {
    /// Of a host's port, by cluster: how much more several messages together get than one, in thousandths of its rate.
    std::vector<int> together;
    /// Of a flow's rate, by cluster of its receiver: what its acknowledgements take of the way back, in thousandths.
    std::vector<int> back;
    bool operator==(const Ports&) const = default;
  };
  /// Of an empty `ports`, hosts' ports are not shared: only uplinks and links between clusters are.
  PlatformNetwork(const Platform& platform, const Ports& ports);

  void find_route(Rank from, Rank to, Route& route) const override;
  /// Whether a message between these ranks shares anything.
  bool shares(Rank from, Rank to) const;

 private:
  struct Port {
    int out = -1;  // -1: not shared
    int in = -1;
  };
  /// The links in the order from the sender's cluster to the receiver's.
  const std::vector<int>& between(int from, int to) const;

  Routes routes_;
  Ports ports_;
  std::vector<Port> hosts_;
  std::vector<Picoseconds> window_times_;  // that TCP's window takes on each host's port
  int clusters_ = 0;
  std::vector<std::vector<int>> between_;  // by from * clusters_ + to
};

}  // namespace tombolo
