#pragma once

#include <cstdint>
#include <vector>

#include <tombolo/collectives/plan/algorithm.hpp>
#include <tombolo/models/model.hpp>

namespace tombolo {

/// The number of variants of an algorithm to try.
enum class Effort {
  usual,    ///< one: the algorithm's own radix and a window that covers the latency
  some,     ///< a few more, for a choice that a call waits for
  thorough  ///< for a search ahead of time: every radix; windows per link, per rank and none
};

/// Returns the parameters of an algorithm to try for a request, without segment sizes: radices from 2 up to a bound by
/// the ranks, the delay from the latencies of the model, the rates of the ranks' links, and windows that cover the
/// longest latency with segments of `segment` bytes. No window for unsegmented messages (`segment` 0) of algorithms
/// that send one per link. The usual parameters come first. `model` is for the ranks of the request.
std::vector<Parameters> variants(const Request& request, const Algorithm& algorithm, const Model& model, Bytes segment,
                                 Effort effort);

/// Returns segment sizes that split the vector in at least two, in descending order, down to 1 KiB or 512 segments:
/// powers of two, nearly the largest message without a rendezvous (eager_limit()), and filling_segment(); of a vector
/// over equal links also the sizes of one segment less, of one and of two more. An alltoall has enough messages without
/// segments and gets only the largest power of two up to the eager limit.
std::vector<Bytes> segment_sizes(const Request& request, const Algorithm& algorithm, const Model& model);

/// Elements of the largest vector, block or pair of a request whose counts are known.
std::int64_t largest_part(const Request& request);

/// Returns the size of the segments with which Algorithm::filling rounds and one for each segment take least time, if
/// all messages cost what the slowest of a few does: with n = sqrt(filling * b / a) segments, a the time of an
/// empty message, b of the vector's bytes alone. One of segment_sizes(); 0 if the vector is best whole.
Bytes filling_segment(const Request& request, const Algorithm& algorithm, const Model& model);

/// Returns the number of messages of `message` bytes that keep a link busy: those in flight during an acknowledgement,
/// one being sent and one in reserve. More would only share the link and delay all of them. At most 128, as MPI scans
/// all requests that it waits for; if 128 is too few, segments are too small.
int window(const Request& request, const Model& model, Bytes message);

/// Returns latency over gap of messages of `message` bytes, rounded up: the sends that a rank can begin before its
/// first message has arrived.
int delay(const Model& model, Bytes message);

/// Returns the rate of each rank's link in bytes per millisecond, the largest over a few messages of 1 MiB; empty if
/// all rates agree within 5 %.
std::vector<std::int64_t> rates(const Request& request, const Model& model);

/// Returns the largest message that ranks 0 and 1 send without a rendezvous; the largest Bytes if the model has no
/// rendezvous, 0 if every message has one.
Bytes eager_limit(const Model& model);
/// Returns the longest segment that is sent for certain without a rendezvous between ranks 0 and 1, of at least two
/// ranks.
Bytes eager_segment(const Model& model);

}  // namespace tombolo
