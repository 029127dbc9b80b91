#pragma once

#include <span>
#include <vector>

#include <tombolo/platform/simgrid/network.hpp>
#include <tombolo/platform/simgrid/route_finder.hpp>

namespace tombolo::simgrid {

/// The hosts that ranks run on, numbered from 0, and the routes between them. Routes are found whenever they are asked
/// for: all of them would fill the memory.
class Fabric {
 public:
  /// `network` must outlive this; `machines` are the hosts, by their numbers in it.
  Fabric(const Network& network, std::vector<int> machines);

  int hosts() const { return static_cast<int>(machines_.size()); }
  const Network& network() const { return network_; }
  const Machine& machine(int host) const { return network_.machine(machines_[static_cast<std::size_t>(host)]); }
  int point(int host) const { return machine(host).point; }
  const std::string& name(int host) const { return network_.point(point(host)).name; }

  /// The wires from one host to another, or from a host to itself. Valid until the next call. Throws Error where there
  /// is no route.
  std::span<const int> route(int from, int to);

  /// The sum of a route's latencies. Throws Error for one beyond longest_latency.
  Picoseconds latency(int from, int to);

 private:
  const Network& network_;
  std::vector<int> machines_;
  RouteFinder finder_;
  std::vector<int> wires_;
};

}  // namespace tombolo::simgrid
