#pragma once

#include <algorithm>
#include <vector>

#include <tombolo/models/laboratory.hpp>

namespace tombolo {

/// The pair of ranks that stands for a class of pairs.
struct SampledPair {
  Rank a = 0;
  Rank b = 0;
  Picoseconds latency = 1;  ///< more than 0
  BytesPerSecond rate = 100'000'000;
  Picoseconds receive_overhead = 0;

  /// What a round trip of so many bytes there takes, roughly.
  Picoseconds expected(Bytes bytes) const { return plus(plus(latency, latency), transfer_time(bytes, rate)); }
  /// The receiver is so late that what does not wait for it is over for sure.
  Experiment with_late_receiver(Experiment::Kind kind, Bytes bytes) const {
    constexpr Picoseconds moment = picoseconds_per_second / 10'000;
    // Of a link that seems to stand still nothing is known.
    constexpr Picoseconds longest = 60 * picoseconds_per_second;
    return {.kind = kind, .a = a, .b = b, .there = bytes, .delay = 4 * std::min(expected(bytes), longest) + moment};
  }
};

/// How often what happens beside a late receiver is timed: the two outcomes lie far apart.
inline constexpr Repeat late_receiver{.least = 1, .most = 3, .precision = 0.5};
/// Who sends so much without meeting its receiver does so with any message, or might as well: what stops even larger
/// ones are buffers on the way, another limit in every try.
inline constexpr Bytes largest_limit = Bytes{1} << 20;
inline constexpr Bytes no_eager_limit = Bytes{1} << 52;

/// For each pair the largest message, in bytes, whose send does not wait for its receive: -1 where even an empty one
/// waits, no_eager_limit where none of up to largest_limit does. The limit of the fastest pair is found to the byte,
/// and so are those of others that share it or lie below 64 KB; others, which buffers on the way set and not the
/// library, to a sixteenth. Pairs are asked all at once, so that it takes as long as the slowest one. Collective.
std::vector<Bytes> eager_limits(const std::vector<SampledPair>& pairs, Laboratory& laboratory);

}  // namespace tombolo
