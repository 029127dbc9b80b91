#pragma once

#include <vector>

#include <tombolo/platform.hpp>

namespace tombolo {

/// A group with a backbone.
struct GroupBackbone {
  const Level* group = nullptr;
  std::vector<int> child_of;  ///< by cluster, in the order of clusters(): the child around it; -1 outside the group

  /// Returns true if messages between these clusters pass the backbone.
  bool carries(int a, int b) const {
    return child_of[static_cast<std::size_t>(a)] != child_of[static_cast<std::size_t>(b)];
  }
};

/// Returns the groups with a backbone, inner ones first. `levels` must outlive the result.
std::vector<GroupBackbone> group_backbones(const Level& levels);

}  // namespace tombolo
