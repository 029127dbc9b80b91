#pragma once

#include <vector>

#include <tombolo/platform.hpp>
#include <tombolo/units.hpp>

namespace tombolo {

/// Returns 0, 1, ..., ranks - 1.
std::vector<Rank> all_in_order(int ranks);

/// Returns each rank's number among the members: r for rank members[r], -1 for all other ranks. Throws Error for a
/// member outside 0 .. ranks - 1 and for a repeated one.
std::vector<Rank> numbers_among(const std::vector<Rank>& members, int ranks);

/// The levels of a platform (Level) that contain some of its ranks: for each of these ranks, the kind and the color
/// of each level, from the whole platform inwards to the innermost level that ranks may share. Two ranks have the same
/// color at a level if and only if they are in the same one. Colors are numbered from 0 at every level, in the order of
/// the first members that have them. Levels are the platform's, independent of the members, so a level number means the
/// same on all parts of the platform; ranks may have different numbers of levels. After MPICH-G2's topology depths and
/// colors (Karonis, Toonen and Foster 2003, MPICH-G2: a Grid-enabled implementation of MPI).
struct LevelColors {
  std::vector<std::vector<int>> colors;         ///< by member and level
  std::vector<std::vector<Level::Kind>> kinds;  ///< by member and level
  bool operator==(const LevelColors&) const = default;
};

/// Returns the colors of the given ranks: member r is rank members[r] of the platform. Members may be any ranks in any
/// order. Throws Error for a rank outside the platform and for a repeated one.
LevelColors level_colors(const Platform& platform, const std::vector<Rank>& members);

}  // namespace tombolo
