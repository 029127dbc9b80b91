#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include <tombolo/platform/simgrid/network.hpp>

namespace tombolo::simgrid {

/// Routes through nested zones, as SimGrid finds them: the zone that holds both ends knows the way between the two
/// zones below it, from gateway to gateway, and each of these the way from its end to the gateway.
class RouteFinder {
 public:
  /// `network` must outlive this.
  explicit RouteFinder(const Network& network) : network_(network) {}

  /// Appends the wires from a host or router to another, or to itself. Throws Error where there is no route.
  void append(int from, int to, std::vector<int>& wires);

 private:
  struct Hop {
    int to = -1;
    int from = -1;
    const Path* path = nullptr;
  };
  using Tree = std::unordered_map<int, Hop>;                // by point: the last hop of the shortest way to it
  using Graph = std::unordered_map<int, std::vector<Hop>>;  // by point: the hops from it

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
  std::unordered_map<int, Tree> trees_;    // by the point they begin at
};

}  // namespace tombolo::simgrid
