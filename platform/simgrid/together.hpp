#pragma once

#include <vector>

#include <tombolo/platform/simgrid/fabric.hpp>

namespace tombolo::simgrid {

/// What several messages at a time get.
class Together {
 public:
  /// `fabric` must outlive this.
  explicit Together(Fabric& fabric) : fabric_(fabric), messages_(fabric.network().wires.size(), 0) {}

  /// One message from each of the first hosts of one list to its counterpart in the other, as many as the shorter has:
  /// all of them together, in B/s; unlimited where nothing limits them. A message gets an equal part of every shared
  /// wire on its way, and no more than the smallest of these parts.
  BytesPerSecond rate(const std::vector<int>& from, const std::vector<int>& to);

 private:
  Fabric& fabric_;
  std::vector<int> messages_;  // by wire; 0 between calls
};

}  // namespace tombolo::simgrid
