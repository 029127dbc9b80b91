#include <utility>

#include <fmt/format.h>

#include <tombolo/platform/posix_file.hpp>
#include <tombolo/platform/simgrid/builder.hpp>
#include <tombolo/platform/simgrid/figures.hpp>

namespace tombolo::simgrid {

namespace {

constexpr int deepest = 64;  // of zones in zones

}  // namespace

int Builder::add_point(const Element& at, Point point) {
  const auto number = static_cast<int>(network_.points.size());
  if (!points_.try_emplace(point.name, number).second) {
    at.fail(fmt::format("there is a {} already", tombolo::quoted(point.name)),
            "give each host, router and zone its own name");
  }
  if (point.zone >= 0) zone(point.zone).points.push_back(number);
  network_.points.push_back(std::move(point));
  return number;
}

int Builder::add_zone(const Element& at, const std::string& name, Zone::Routing routing, int parent) {
  const auto number = static_cast<int>(network_.zones.size());
  Zone made;
  made.routing = routing;
  made.depth = parent < 0 ? 0 : zone(parent).depth + 1;
  if (made.depth >= deepest) at.fail(fmt::format("zones in zones, {} deep", deepest), "nest fewer");
  made.point = add_point(at, {.kind = Point::Kind::zone, .name = name, .zone = parent, .number = number});
  network_.zones.push_back(std::move(made));
  return number;
}

int Builder::add_host(const Element& at, const std::string& name, int zone, FlopsPerSecond speed, int cores) {
  if (network_.machines.size() >= most_hosts) {
    at.fail(fmt::format("more than {} hosts", most_hosts), "describe fewer");
  }
  const auto number = static_cast<int>(network_.machines.size());
  const int point = add_point(at, {.kind = Point::Kind::host, .name = name, .zone = zone, .number = number});
  network_.machines.push_back({.point = point, .speed = speed, .cores = cores});
  return point;
}

int Builder::add_router(const Element& at, const std::string& name, int zone) {
  return add_point(at, {.kind = Point::Kind::router, .name = name, .zone = zone, .number = -1});
}

Cable Builder::add_cable(const std::string& name, BytesPerSecond rate, Picoseconds latency, Policy policy) {
  const auto wire = [&](const std::string& called) {
    network_.wires.push_back({.name = called,
                              .rate = rate < no_limit ? rate : unlimited,
                              .latency = latency,
                              .shared = policy != Policy::fat_pipe});
    return static_cast<int>(network_.wires.size() - 1);
  };
  if (policy == Policy::split_duplex) return {.up = wire(name + "_UP"), .down = wire(name + "_DOWN"), .split = true};
  const int both = wire(name);
  return {.up = both, .down = both, .split = false};
}

void Builder::add_name(const Element& at, const std::string& name, Cable cable) {
  if (links_.try_emplace(name, cable).second) return;
  at.fail(fmt::format("there is a link {} already", tombolo::quoted(name)), "give each link its own name");
}

void Builder::add_link(const Element& at, const std::string& name, BytesPerSecond rate, Picoseconds latency,
                       Policy policy) {
  const Cable cable = add_cable(name, rate, latency, policy);
  add_name(at, name, cable);
  if (!cable.split) return;
  add_name(at, name + "_UP", {.up = cable.up, .down = cable.up, .split = false});
  add_name(at, name + "_DOWN", {.up = cable.down, .down = cable.down, .split = false});
}

const Cable& Builder::link(const Element& at, const std::string& name) const {
  const auto found = links_.find(name);
  if (found == links_.end()) {
    at.fail(fmt::format("there is no link {}", tombolo::quoted(name)), "describe it before the routes that pass it");
  }
  return found->second;
}

int Builder::find(const Element& at, const std::string& name) const {
  const auto found = points_.find(name);
  if (found == points_.end()) {
    at.fail(fmt::format("there is no host, router or zone {}", tombolo::quoted(name)),
            "describe it before the routes to it");
  }
  return found->second;
}

bool Builder::lies_in(int point, int zone) const {
  for (int in = network_.point(point).zone; in >= 0; in = network_.point(network_.zone(in).point).zone) {
    if (in == zone) return true;
  }
  return false;
}

}  // namespace tombolo::simgrid
