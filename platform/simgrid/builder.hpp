#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include <tombolo/platform/simgrid/element.hpp>
#include <tombolo/platform/simgrid/network.hpp>

namespace tombolo::simgrid {

/// Maximum number of hosts of a description.
constexpr std::size_t most_hosts = 1 << 16;

/// A link as named by routes: its two directions, which are the same wire if the link has only one.
struct Cable {
  int up = -1;
  int down = -1;
  bool split = false;  ///< a route must state the direction
};

/// The sharing policy of a link among its messages.
enum class Policy { shared, split_duplex, fat_pipe };

/// Builds a Network and resolves names. The Element arguments are the context of error messages.
class Builder {
 public:
  explicit Builder(Network& network) : network_(network) {}

  Network& network() { return network_; }
  Zone& zone(int number) { return network_.zones[static_cast<std::size_t>(number)]; }

  /// Each function returns the number of the new zone or point.
  int add_zone(const Element& at, const std::string& name, Zone::Routing routing, int parent);
  int add_host(const Element& at, const std::string& name, int zone, FlopsPerSecond speed, int cores);
  int add_router(const Element& at, const std::string& name, int zone);

  /// Creates the wires of a link.
  Cable add_cable(const std::string& name, BytesPerSecond rate, Picoseconds latency, Policy policy);
  /// Creates a link that routes can name.
  void add_link(const Element& at, const std::string& name, BytesPerSecond rate, Picoseconds latency, Policy policy);
  const Cable& link(const Element& at, const std::string& name) const;

  /// Returns the point of that name; throws Error if there is none.
  int find(const Element& at, const std::string& name) const;
  /// Returns true if a point lies in a zone, at any depth.
  bool lies_in(int point, int zone) const;

 private:
  int add_point(const Element& at, Point point);
  void add_name(const Element& at, const std::string& name, Cable cable);

  Network& network_;
  std::unordered_map<std::string, int> points_;
  std::unordered_map<std::string, Cable> links_;
};

// Readers of the elements that connect the points of a zone.

/// `<route>`, between hosts and routers of the zone.
void add_route(Builder& builder, const Element& element, int zone);

/// `<zoneRoute>`, between zones of the zone, from gateway to gateway.
void add_zone_route(Builder& builder, const Element& element, int zone);

/// `<host_link>`, the connection of a host to the centre of a star, including the backbone.
void add_leg(Builder& builder, const Element& element, int zone, const std::vector<int>& backbone);

/// `<route>` in a star, always from a host to itself.
void add_loopback(Builder& builder, const Element& element, int zone);

}  // namespace tombolo::simgrid
