#pragma once

#include <span>
#include <vector>

#include <tombolo/platform/units.hpp>

namespace tombolo {

/// A time by message size, linear between nodes, as pLogP has them (Kielmann, Bal and Verstoep 2000). In integers:
///
///     PiecewiseLinear f({{0, 100}, {10, 200}, {20, 250}});    f.at(5) == 150    f.at(40) == 350
class PiecewiseLinear {
 public:
  struct Node {
    Bytes bytes = 0;
    Picoseconds time = 0;
    bool operator==(const Node&) const = default;
  };

  /// Throws Error where there is no node, sizes do not ascend from 0 or more, or a time is negative. Times may fall: a
  /// message just above a change of protocol can be the faster one.
  explicit PiecewiseLinear(std::vector<Node> nodes);

  /// Rounded up. Before the first node it is that node's time; beyond the last one it goes on with the slope of the
  /// last piece, if that does not fall; it ends at `never`.
  Picoseconds at(Bytes bytes) const;

  std::span<const Node> nodes() const { return nodes_; }
  bool operator==(const PiecewiseLinear&) const = default;

 private:
  std::vector<Node> nodes_;
};

}  // namespace tombolo
