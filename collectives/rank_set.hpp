#pragma once

#include <vector>

#include <tombolo/platform/units.hpp>

namespace tombolo {

/// Ranks first to last.
struct RankRange {
  Rank first = 0;
  Rank last = 0;
  bool operator==(const RankRange&) const = default;
};

/// A set of ranks as ranges, ascending, neither touching nor overlapping: collectives deal in neighbours, so it stays
/// small where a bit per rank would not.
using RankSet = std::vector<RankRange>;

/// All that are in either, and whether any was in both.
struct Union {
  RankSet ranks;
  bool overlapped = false;
};
Union unite(const RankSet& a, const RankSet& b);

}  // namespace tombolo
