#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <tombolo/matrix.hpp>
#include <tombolo/platform.hpp>

namespace tombolo {

/// Speeds and memory of the ranks, indexed by rank.
struct TransposeRanks {
  const Platform* platform = nullptr;
  std::span<const BytesPerSecond> memory;  ///< transpose speed of each rank, each byte counted once; above 0
  std::span<const Bytes> room;  ///< memory of each rank for A and B, all taken by the two buffers of the alltoallv
};

/// Returns the time of packing, alltoallv and unpacking of A, m x n of `element` bytes, where rank r has a[r] rows of A
/// and b[r] of B; S is the sum of a share over several ranks:
///
///     max a[r] n / memory[r]  +  max over shared links of traffic / rate  +  max b[r] m / memory[r]
///
/// A host or cluster sends S_a (n - S_b) elements over its port or uplink and receives S_b (m - S_a); S_a S_b go from
/// one cluster to another; ranks of one host send independently. Rates that were not measured are no bounds; latencies
/// are ignored. `never` if a rank has too little memory.
Picoseconds transpose_time(const TransposeRanks& ranks, const MatrixShape& a, Bytes element,
                           std::span<const std::int64_t> rows_of_a, std::span<const std::int64_t> rows_of_b);

/// The shares of ranks in a matrix to be transposed. Every rank holds all shares.
struct TransposeShares {
  std::vector<std::int64_t> weights;  ///< weight of each rank; 0 excludes the rank
  std::string how;                    ///< "by memory and links, over all ranks"
  Picoseconds predicted = 0;          ///< by the closed form of transpose_time()
};

/// Returns the shares with the least transpose_time(), among shares in proportion to 1 / (2 / memory + 1 / link), to
/// memory, to link, and equal shares, each over all ranks and, with `some`, over each of the outermost clusters alone
/// and over the fastest two, three, ... clusters. The traffic over an uplink is S (1 - S) for a cluster's share S,
/// largest at one half, so excluding ranks may be fastest. The link of a rank is its host's port, divided among the
/// ranks of the host. Shares in proportion to room are a candidate too, for data that fits no other way. Integers, so
/// all ranks choose alike.
TransposeShares shares_by_links(const TransposeRanks& ranks, const MatrixShape& a, Bytes element, bool some);

}  // namespace tombolo
