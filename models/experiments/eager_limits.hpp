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
  bool inside_host = false;

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

/// What is known of a pair's limit, in bytes.
struct EagerLimit {
  Bytes eager = -1;  ///< the largest message known not to wait for its receive; -1: even an empty one waits
  Bytes waiting = no_eager_limit;  ///< the smallest known to wait
  bool own = false;                ///< found on this pair, not on another of its kind
  /// The largest message that does not wait: -1 if even an empty one waits, no_eager_limit if none of up to
  /// largest_limit bytes does.
  Bytes limit() const { return waiting == no_eager_limit ? no_eager_limit : eager; }
  bool operator==(const EagerLimit&) const = default;
};

/// Returns for each pair the limit of its kind of link, inside a host or between hosts: that of the fastest pair of the
/// kind, exact to the byte while time is left, then to a sixteenth. Limits depend on the MPI library and its transport
/// more than on the link. Collective.
std::vector<EagerLimit> limits_by_kind(const std::vector<SampledPair>& pairs, const TimeLeft& left,
                                       Laboratory& laboratory);

/// Tests the limits of the pairs `which` and finds those that differ: exact to the byte below 64 KB, and to a sixteenth
/// above, where limits come from buffers in the network rather than from the MPI library. All pairs are tested
/// concurrently, so the time is that of the slowest pair. Pairs that `left` does not suffice for keep what is known of
/// them; returns their number. Collective.
int correct_limits(const std::vector<SampledPair>& pairs, const std::vector<std::size_t>& which, const TimeLeft& left,
                   Laboratory& laboratory, std::vector<EagerLimit>& limits);

}  // namespace tombolo
