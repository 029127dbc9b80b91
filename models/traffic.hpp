#pragma once

#include <vector>

#include <tombolo/models/network.hpp>

namespace tombolo {

/// What flows at a time over a network, and when each flow has ended.
class Traffic {
 public:
  virtual ~Traffic() = default;
  /// A flow begins; `id` is the caller's name for it. Times never go back.
  virtual void start(int id, Rank from, Rank to, Flow flow, Picoseconds now) = 0;
  virtual bool empty() const = 0;
  /// When the next flow ends, or something else changes, if no flow begins before; `never` where none is under way.
  virtual Picoseconds next_end() = 0;
  /// The flows that end at that time, which next_end() said.
  virtual std::vector<int> end(Picoseconds now) = 0;
};

}  // namespace tombolo
