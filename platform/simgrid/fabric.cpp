#include <utility>

#include <fmt/format.h>

#include <tombolo/platform/error.hpp>
#include <tombolo/platform/simgrid/fabric.hpp>
#include <tombolo/platform/simgrid/figures.hpp>

namespace tombolo::simgrid {

Fabric::Fabric(const Network& network, std::vector<int> machines)
    : network_(network), machines_(std::move(machines)), finder_(network) {}

std::span<const int> Fabric::route(int from, int to) {
  wires_.clear();
  finder_.append(point(from), point(to), wires_);
  return wires_;
}

Picoseconds Fabric::latency(int from, int to) {
  Picoseconds sum = 0;
  for (const int wire : route(from, to)) sum = plus(sum, network_.wire(wire).latency);
  if (sum > longest_latency) {
    throw Error(fmt::format("{}: the route from {} to {} takes more than {:g} s", network_.source, name(from), name(to),
                            seconds(longest_latency)),
                "check the latencies on it");
  }
  return sum;
}

}  // namespace tombolo::simgrid
