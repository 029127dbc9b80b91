#pragma once

#include <cstdint>
#include <span>

#include <tombolo/framework/npy_header.hpp>
#include <tombolo/platform/platform.hpp>

namespace tombolo {

/// What is known of the ranks, each one's at its place.
struct TransposeRanks {
  const Platform* platform = nullptr;
  std::span<const BytesPerSecond> memory;  ///< at which a rank transposes, each byte counted once; above 0
  std::span<const Bytes> room;             ///< that it has for A and B; the two buffers of the exchange take it all
};

/// How long packing, exchanging and unpacking take, of A, m x n in so many bytes an element, where rank r has a[r] rows
/// of it and b[r] of B, with S the sum of a share over some ranks:
///
///     max a[r] n / memory[r]  +  max over what is shared of what crosses it / its rate  +  max b[r] m / memory[r]
///
/// Out of a host or a cluster S_a (n - S_b) elements cross its port or uplink, and S_b (m - S_a) into it; S_a S_b from
/// one cluster to another; between ranks of a host each sends by itself. Rates that were not measured bound nothing,
/// latencies are left out. `never` where a rank has not enough room.
Picoseconds transpose_time(const TransposeRanks& ranks, const MatrixShape& a, Bytes element,
                           std::span<const std::int64_t> rows_of_a, std::span<const std::int64_t> rows_of_b);

}  // namespace tombolo
