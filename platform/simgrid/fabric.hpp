#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <tombolo/units.hpp>

namespace tombolo::simgrid {

/// The rate of a wire without a stated limit; larger than any real rate.
constexpr BytesPerSecond unlimited = std::numeric_limits<BytesPerSecond>::max();

/// A description must state a rate; a petabyte per second or more stands for an unknown rate.
constexpr BytesPerSecond no_limit = 1'000'000'000'000'000;

/// Maximum latency; sums of latencies stay far below `never`.
constexpr Picoseconds longest_latency = 1000 * picoseconds_per_second;

/// One direction of a link, or a link with both directions sharing its rate.
struct Wire {
  std::string name;
  BytesPerSecond rate = 0;
  bool shared = true;  ///< by its messages; otherwise each message gets the full rate
};

/// A host of the description.
struct Machine {
  std::string name;
  int zone = 0;              ///< the innermost zone around it
  FlopsPerSecond speed = 0;  ///< of one core
  int cores = 1;
};

struct Zone {
  std::string name;
  int parent = -1;  ///< the zone around it; -1 for the outermost zone, which is the first
  int depth = 0;
};

/// The hosts that ranks run on, numbered from 0, and the routes between them.
class Fabric {
 public:
  int hosts() const { return static_cast<int>(machines_.size()); }
  const Machine& machine(int host) const { return machines_[static_cast<std::size_t>(host)]; }
  const std::string& name(int host) const { return machine(host).name; }

  const std::vector<Wire>& wires() const { return wires_; }
  const Wire& wire(int number) const { return wires_[static_cast<std::size_t>(number)]; }
  const std::vector<Zone>& zones() const { return zones_; }
  const Zone& zone(int number) const { return zones_[static_cast<std::size_t>(number)]; }

  /// Returns the wires from one host to another, or from a host to itself; none for a host to itself if the description
  /// has no loopback.
  std::span<const int> route(int from, int to) const {
    const std::size_t pair = pair_of(from, to);
    return {on_routes_.data() + begins_[pair], on_routes_.data() + begins_[pair + 1]};
  }
  /// Returns the latency of a route, which may be more than the sum over its wires.
  Picoseconds latency(int from, int to) const { return latencies_[pair_of(from, to)]; }

 private:
  friend class FabricReader;
  std::size_t pair_of(int from, int to) const {
    return static_cast<std::size_t>(from) * machines_.size() + static_cast<std::size_t>(to);
  }

  std::vector<Machine> machines_;
  std::vector<Zone> zones_;
  std::vector<Wire> wires_;
  std::vector<std::uint32_t> begins_{0};  // by pair of hosts: its place in on_routes_
  std::vector<int> on_routes_;
  std::vector<Picoseconds> latencies_;
};

/// Calls visit(from, to, route) for every two hosts.
template <class Visit>
void for_each_pair(const Fabric& fabric, Visit visit) {
  for (int from = 0; from < fabric.hosts(); ++from) {
    for (int to = 0; to < fabric.hosts(); ++to) {
      if (from != to) visit(from, to, fabric.route(from, to));
    }
  }
}

/// Encodes a pair of numbers as one.
constexpr std::uint64_t ends(int from, int to) {
  return static_cast<std::uint64_t>(static_cast<std::uint32_t>(from)) << 32 | static_cast<std::uint32_t>(to);
}

/// Lets SimGrid read a description, by the program tombolo-simgrid-routes, and returns the hosts of these names, or all
/// hosts without names. `source`: the description's name in messages. Throws Error as platform_from_simgrid does.
Fabric read_fabric(std::string_view text, const std::string& source,
                   const std::optional<std::vector<std::string>>& hosts);

}  // namespace tombolo::simgrid
