#pragma once

#include <algorithm>
#include <vector>

#include <tombolo/models/experiments/laboratory.hpp>

namespace tombolo {

/// The pair of ranks that represents a class of pairs.
struct SampledPair {
  Rank a = 0;
  Rank b = 0;
  Picoseconds latency = 1;  ///< more than 0
  BytesPerSecond rate = 100'000'000;
  Picoseconds receive_overhead = 0;

  /// Approximate time of a round trip with `bytes` bytes there.
  Picoseconds expected(Bytes bytes) const { return plus(plus(latency, latency), transfer_time(bytes, rate)); }
  /// An experiment with a receiver so late that a send that does not wait for the receive is over before it.
  Experiment with_late_receiver(Experiment::Kind kind, Bytes bytes) const {
    constexpr Picoseconds moment = picoseconds_per_second / 10'000;
    // Bounds the delay for a link that seems to stand still.
    constexpr Picoseconds longest = 60 * picoseconds_per_second;
    return {.kind = kind, .a = a, .b = b, .there = bytes, .delay = 4 * std::min(expected(bytes), longest) + moment};
  }
};

/// Repetitions with a late receiver; few, since the two outcomes lie far apart.
inline constexpr Repeat late_receiver{.least = 1, .most = 3, .precision = 0.5};
/// The largest message size tried. Sends up to this size that do not wait count as unlimited; beyond, buffers in the
/// network may stop a send, at a limit that differs in every trial.
inline constexpr Bytes largest_limit = Bytes{1} << 20;
inline constexpr Bytes no_eager_limit = Bytes{1} << 52;

/// Returns for each pair the largest message, in bytes, whose send does not wait for its receive: -1 if even an empty
/// send waits, no_eager_limit if no send of up to largest_limit bytes does. Exact to the byte for the fastest pair, for
/// pairs with the same limit, and for limits below 64 KB; exact to a sixteenth for other limits, which come from
/// buffers in the network rather than from the MPI library. All pairs are tested concurrently, so the time is that of
/// the slowest pair. Collective.
std::vector<Bytes> eager_limits(const std::vector<SampledPair>& pairs, Laboratory& laboratory);

}  // namespace tombolo
