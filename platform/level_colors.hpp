#pragma once

#include <vector>

#include <tombolo/platform/platform.hpp>

namespace tombolo {

/// Which levels of a platform (level.hpp) some of its ranks are in: for each of them, from the whole platform inwards
/// to the innermost that ranks may share, what kind of level it is and its color. Two ranks have the same color at a
/// level if and only if they are in the same one. Colors are numbered anew at every level, in the order of the first
/// members that have them. Levels are those of the platform whoever the members are, so that one number means the same
/// on all of its parts; ranks may have different numbers of them. After MPICH-G2's topology depths and colors (Karonis,
/// Toonen and Foster 2003, MPICH-G2: a Grid-enabled implementation of MPI).
struct LevelColors {
  std::vector<std::vector<int>> colors;         ///< by member and level
  std::vector<std::vector<Level::Kind>> kinds;  ///< in the same order
  bool operator==(const LevelColors&) const = default;
};

/// Member r is rank members[r] of the platform; any of them in any order. Throws Error for one that it has not, or that
/// stands twice.
LevelColors level_colors(const Platform& platform, const std::vector<Rank>& members);

}  // namespace tombolo
