#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include <tombolo/platform/simgrid/element.hpp>
#include <tombolo/platform/simgrid/network.hpp>

namespace tombolo::simgrid {

/// The most hosts of a description.
constexpr std::size_t most_hosts = 1 << 16;

/// A link as routes name it: its two directions, which are one wire where it has but one.
struct Cable {
  int up = -1;
  int down = -1;
  bool split = false;  ///< a route must say in which direction it passes
};

/// How a link is shared by the messages on it.
enum class Policy { shared, split_duplex, fat_pipe };

/// Fills a Network, and knows its names. The Element is what a message is about.
class Builder {
 public:
  explicit Builder(Network& network) : network_(network) {}

  Network& network() { return network_; }
  Zone& zone(int number) { return network_.zones[static_cast<std::size_t>(number)]; }

  /// Each returns a number: of the zone, of the point.
  int add_zone(const Element& at, const std::string& name, Zone::Routing routing, int parent);
  int add_host(const Element& at, const std::string& name, int zone, FlopsPerSecond speed, int cores);
  int add_router(const Element& at, const std::string& name, int zone);

  /// Makes the wires of a link.
  Cable add_cable(const std::string& name, BytesPerSecond rate, Picoseconds latency, Policy policy);
  /// The same, for routes to name.
  void add_link(const Element& at, const std::string& name, BytesPerSecond rate, Picoseconds latency, Policy policy);
  const Cable& link(const Element& at, const std::string& name) const;

  /// The point of that name; Error where there is none.
  int find(const Element& at, const std::string& name) const;
  /// Whether a point lies in a zone, at any depth.
  bool lies_in(int point, int zone) const;

 private:
  int add_point(const Element& at, Point point);
  void add_name(const Element& at, const std::string& name, Cable cable);

  Network& network_;
  std::unordered_map<std::string, int> points_;
  std::unordered_map<std::string, Cable> links_;
};

}  // namespace tombolo::simgrid
