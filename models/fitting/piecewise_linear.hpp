#pragma once

#include <span>
#include <vector>

#include <tombolo/units.hpp>

namespace tombolo {

/// A piecewise linear function from message size to time, as in pLogP (Kielmann, Bal and Verstoep 2000). In integers:
///
///     PiecewiseLinear f({{0, 100}, {10, 200}, {20, 250}});    f.at(5) == 150    f.at(40) == 350
class PiecewiseLinear {
 public:
  struct Node {
    Bytes bytes = 0;
    Picoseconds time = 0;
    bool operator==(const Node&) const = default;
  };

  /// Throws Error if there is no node, sizes are not ascending from 0 or more, or a time is negative. Times may
  /// decrease: a message just above a change of protocol can be faster.
  explicit PiecewiseLinear(std::vector<Node> nodes);

  /// The time at `bytes`, rounded up: constant before the first node, extrapolated beyond the last node with the slope
  /// of the last segment (constant if that slope is not positive), at most `never`.
  Picoseconds at(Bytes bytes) const;

  std::span<const Node> nodes() const { return nodes_; }
  bool operator==(const PiecewiseLinear&) const = default;

 private:
  std::vector<Node> nodes_;
};

}  // namespace tombolo
