#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <tombolo/framework/transpose_time.hpp>

namespace tombolo {

/// In which proportion ranks are to share a matrix that is transposed. All ranks know all of it.
struct TransposeShares {
  std::vector<std::int64_t> weights;  ///< of each rank; 0 leaves it out
  std::string how;                    ///< "by memory and links, over all ranks"
  Picoseconds predicted = 0;          ///< by the closed form of transpose_time()
};

/// The shares of which transpose_time() is least, among those in proportion to 1 / (2 / memory + 1 / link), to memory,
/// to link and equal ones, each over all ranks and, with `some`, over every one of the outermost clusters alone and
/// over the fastest two, three, ... of them: what crosses an uplink is S (1 - S), most where its cluster has half, so
/// that leaving ranks out may be fastest. The link of a rank is its host's port, shared by the ranks of the host.
/// Shares in proportion to room are a candidate too, for what fits no other way. Integers, so all ranks choose alike.
TransposeShares shares_by_links(const TransposeRanks& ranks, const MatrixShape& a, Bytes element, bool some);

}  // namespace tombolo
