#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <unordered_map>
#include <vector>

#include <tombolo/platform/units.hpp>

namespace tombolo::simgrid {

/// The rate of a wire without a stated limit; larger than any real rate.
constexpr BytesPerSecond unlimited = std::numeric_limits<BytesPerSecond>::max();

/// One direction of a link, or a link with both directions sharing its rate.
struct Wire {
  std::string name;
  BytesPerSecond rate = 0;
  Picoseconds latency = 0;
  bool shared = true;  ///< by its messages; otherwise each message gets the full rate
};

/// The part of a route inside one zone, as wire numbers. If an end is a zone, the gateway is the point inside that
/// zone; else -1.
struct Path {
  int gateway_from = -1;
  int gateway_to = -1;
  std::vector<int> wires;
};

/// A node of a route: a host, a router, or a zone as seen by its parent.
struct Point {
  enum class Kind { host, router, zone };
  Kind kind = Kind::host;
  std::string name;
  int zone = -1;    ///< the enclosing zone; -1 for the outermost zone
  int number = -1;  ///< index of a host in Network::machines, of a zone in Network::zones
};

/// A host of the description.
struct Machine {
  int point = -1;
  FlopsPerSecond speed = 0;  ///< of one core
  int cores = 1;
};

/// The connection between a point of a star and the centre.
struct Leg {
  std::vector<int> up;
  std::vector<int> down;
  std::vector<int> loopback;  ///< if empty, a message to itself goes up and down
};

struct Zone {
  /// full: every route is stated; star: every point has its leg; shortest: stated routes are edges of a graph; none:
  /// nothing is connected.
  enum class Routing { full, star, shortest, none };
  Routing routing = Routing::none;
  int point = -1;  ///< of the zone itself
  int depth = 0;
  std::vector<int> points;                         ///< in the zone, including inner zones
  std::unordered_map<std::uint64_t, Path> routes;  ///< by ends(from, to)
  std::unordered_map<int, Leg> legs;               ///< by point
};

/// Encodes a pair of points as one number.
constexpr std::uint64_t ends(int from, int to) {
  return static_cast<std::uint64_t>(static_cast<std::uint32_t>(from)) << 32 | static_cast<std::uint32_t>(to);
}

/// The contents of a description, with names resolved.
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

struct Source;

/// Reads a description. Throws Error for malformed or contradictory elements and for unsupported ones.
Network read_network(const Source& source);

}  // namespace tombolo::simgrid
