#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include <tombolo/platform.hpp>
#include <tombolo/units.hpp>

namespace tombolo {

/// What one message between two hosts got.
struct PairRate {
  int a = 0;
  int b = 0;
  Measured rate;          ///< B/s
  Picoseconds fixed = 0;  ///< the part of its time that does not depend on its bytes
};

/// Returns pairs whose messages tell what hosts can of which `pairs` do not: hosts that were slower than the fastest by
/// more than `bound` and only met partners that may have been the limit, as these got no more elsewhere. Each comes
/// first, with one of the fastest hosts, `most` for each of those. `pairs`: of hosts of one cluster.
std::vector<std::pair<int, int>> pairs_that_tell(const std::vector<PairRate>& pairs, double bound, std::size_t most);

}  // namespace tombolo
