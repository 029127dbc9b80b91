#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <unordered_map>
#include <vector>

#include <tombolo/platform/units.hpp>

namespace tombolo::simgrid {

/// More than any wire has: the rate where a description states no limit.
constexpr BytesPerSecond unlimited = std::numeric_limits<BytesPerSecond>::max();

/// One direction of a link, or a link whose directions share its rate.
struct Wire {
  std::string name;
  BytesPerSecond rate = 0;
  Picoseconds latency = 0;
  bool shared = true;  ///< by the messages on it; else each gets the whole rate
};

/// A stretch of a route inside one zone, by the numbers of its wires. Where it begins or ends at a zone, the gateway is
/// the point inside that zone; else -1.
struct Path {
  int gateway_from = -1;
  int gateway_to = -1;
  std::vector<int> wires;
};

/// What a route can pass: a host, a router, a zone as its parent sees it.
struct Point {
  enum class Kind { host, router, zone };
  Kind kind = Kind::host;
  std::string name;
  int zone = -1;    ///< that it lies in; -1 for the outermost zone
  int number = -1;  ///< of the host in Network::machines, of the zone in Network::zones
};

/// A host of the description.
struct Machine {
  int point = -1;
  FlopsPerSecond speed = 0;  ///< of one core
  int cores = 1;
};

/// How a point of a star reaches its middle.
struct Leg {
  std::vector<int> up;
  std::vector<int> down;
  std::vector<int> loopback;  ///< none: a message to itself goes up and down
};

struct Zone {
  /// full: every route is stated; star: every point has its leg; shortest: stated routes are edges of a graph; none:
  /// nothing is connected.
  enum class Routing { full, star, shortest, none };
  Routing routing = Routing::none;
  int point = -1;  ///< its own
  int depth = 0;
  std::vector<int> points;                         ///< in it, zones included
  std::unordered_map<std::uint64_t, Path> routes;  ///< by ends(from, to)
  std::unordered_map<int, Leg> legs;               ///< by point
};

/// A pair of points as one number.
constexpr std::uint64_t ends(int from, int to) {
  return static_cast<std::uint64_t>(static_cast<std::uint32_t>(from)) << 32 | static_cast<std::uint32_t>(to);
}

/// What a description says, with names resolved.
struct Network {
  std::string source;  ///< the file's name, for messages
  std::vector<Wire> wires;
  std::vector<Point> points;
  std::vector<Zone> zones;        ///< the outermost first
  std::vector<Machine> machines;  ///< in the order of the file

  const Point& point(int number) const { return points[static_cast<std::size_t>(number)]; }
  const Zone& zone(int number) const { return zones[static_cast<std::size_t>(number)]; }
  const Wire& wire(int number) const { return wires[static_cast<std::size_t>(number)]; }
  const Machine& machine(int number) const { return machines[static_cast<std::size_t>(number)]; }
};

}  // namespace tombolo::simgrid
