#include <algorithm>

#include <fmt/format.h>

#include <tombolo/models/fitting/piecewise_linear.hpp>
#include <tombolo/units.hpp>

namespace tombolo {

namespace {

using Node = PiecewiseLinear::Node;

// The straight line through two nodes at `bytes`, rounded up.
Picoseconds on_line(const Node& left, const Node& right, Bytes bytes) {
  const auto run = static_cast<Wide>(right.bytes) - left.bytes;
  const Wide rise = (static_cast<Wide>(right.time) - left.time) * (static_cast<Wide>(bytes) - left.bytes);
  const Wide quotient = rise / run;  // towards 0
  const Wide time = left.time + quotient + (rise > quotient * run ? 1 : 0);
  return time < static_cast<Wide>(never) ? static_cast<Picoseconds>(time) : never;
}

}  // namespace

PiecewiseLinear::PiecewiseLinear(std::vector<Node> nodes) : nodes_(std::move(nodes)) {
  constexpr auto remedy = "nodes have ascending sizes and times of 0 or more";
  if (nodes_.empty()) throw Error("a piecewise linear function without nodes", remedy);
  Bytes before = -1;
  for (const Node& node : nodes_) {
    if (node.bytes <= before) throw Error(fmt::format("a node at {} bytes after {}", node.bytes, before), remedy);
    if (node.time < 0) throw Error(fmt::format("a time of {} ps at {} bytes", node.time, node.bytes), remedy);
    before = node.bytes;
  }
}

Picoseconds PiecewiseLinear::at(Bytes bytes) const {
  const auto right = std::lower_bound(nodes_.begin(), nodes_.end(), bytes,
                                      [](const Node& node, Bytes size) { return node.bytes < size; });
  if (right == nodes_.begin()) return right->time;
  if (right != nodes_.end()) return on_line(*(right - 1), *right, bytes);
  const Node& last = nodes_.back();
  if (nodes_.size() == 1 || last.time <= nodes_[nodes_.size() - 2].time) return last.time;
  return on_line(nodes_[nodes_.size() - 2], last, bytes);
}

}  // namespace tombolo
