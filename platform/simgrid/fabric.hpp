#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include <tombolo/platform/simgrid/network.hpp>

namespace tombolo::simgrid {

/// Finds routes through nested zones by SimGrid's rules: the innermost zone that contains both ends gives the path
/// between its two child zones, from gateway to gateway; each child zone gives the path from its end to the gateway.
class RouteFinder {
 public:
  /// `network` must outlive this object.
  explicit RouteFinder(const Network& network) : network_(network) {}

  /// Appends the wires from a host or router to another, or to itself. Throws Error if there is no route.
  void append(int from, int to, std::vector<int>& wires);

 private:
  struct Hop {
    int to = -1;
    int from = -1;
    const Path* path = nullptr;
  };
  using Tree = std::unordered_map<int, Hop>;                // by point: the last hop of its shortest path
  using Graph = std::unordered_map<int, std::vector<Hop>>;  // by point: its outgoing hops

  int zone_of(int point) const { return network_.point(point).zone; }
  int parent(int point) const { return network_.zone(zone_of(point)).point; }
  int depth(int point) const { return network_.zone(zone_of(point)).depth; }
  void append_to_gateway(int from, int to, std::vector<int>& wires);
  void append_in_star(const Zone& zone, int from, int to, std::vector<int>& wires) const;
  Path path(int from, int to);
  Path shortest(int zone, int from, int to);
  const Graph& graph(int zone);
  const Tree& tree(int zone, int from);
  [[noreturn]] void no_route(int from, int to) const;

  const Network& network_;
  std::unordered_map<std::uint64_t, std::vector<int>> to_gateways_;
  std::unordered_map<int, Graph> graphs_;  // by zone
  std::unordered_map<int, Tree> trees_;    // by root point
};

/// The hosts that ranks run on, numbered from 0, and the routes between them. Routes are computed on request, since all
/// of them would fill the memory.
class Fabric {
 public:
  /// `network` must outlive this object; `machines`: the hosts, as indices into its machines.
  Fabric(const Network& network, std::vector<int> machines);

  int hosts() const { return static_cast<int>(machines_.size()); }
  const Network& network() const { return network_; }
  const Machine& machine(int host) const { return network_.machine(machines_[static_cast<std::size_t>(host)]); }
  int point(int host) const { return machine(host).point; }
  const std::string& name(int host) const { return network_.point(point(host)).name; }

  /// Returns the wires from one host to another, or from a host to itself. Valid until the next call. Throws Error if
  /// there is no route.
  std::span<const int> route(int from, int to);

  /// Returns the sum of a route's latencies. Throws Error above longest_latency.
  Picoseconds latency(int from, int to);

 private:
  const Network& network_;
  std::vector<int> machines_;
  RouteFinder finder_;
  std::vector<int> wires_;
};

}  // namespace tombolo::simgrid
