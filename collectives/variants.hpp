#pragma once

#include <vector>

#include <tombolo/collectives/algorithm.hpp>
#include <tombolo/models/model.hpp>

namespace tombolo {

/// How many variants of an algorithm are worth trying.
enum class Effort {
  usual,    ///< one: the algorithm's own radix, a window that covers the latency
  some,     ///< a few others, for a choice that a call waits for
  thorough  ///< for a search ahead of time: every radix, windows per link, per rank and none
};

/// What an algorithm's parameters may be for a request, but for segments: radices from 2 up to what the ranks allow,
/// the delay that the model's latencies make, the rates of the ranks' links, windows that cover the longest latency
/// with segments of so many bytes; none for messages in whole (0), of which a link carries one. The usual ones come
/// first. `model` is one for the ranks of the request.
std::vector<Parameters> variants(const Request& request, const Algorithm& algorithm, const Model& model, Bytes segment,
                                 Effort effort);

/// Sizes of segments that cut what one message may carry in at least two, the largest first, down to 1 KiB or 512
/// of them: powers of two, and nearly the largest that the model sends without a rendezvous (eager_limit). Of a total
/// exchange, which has messages enough without, only the power of two below this one.
std::vector<Bytes> segment_sizes(const Request& request, const Algorithm& algorithm, const Model& model);

/// How many messages of that size keep a link busy: those on their way while one is acknowledged, one being sent and
/// one in reserve. More would share the link with one another, and all arrive late. 128 at most, as MPI looks through
/// those that it waits for: where that is too few, segments are too small.
int window(const Request& request, const Model& model, Bytes message);

/// Latency over gap of messages of that size: how many a rank can begin to send before the first has arrived, rounded
/// up.
int delay(const Model& model, Bytes message);

/// What each rank's link carries, in bytes per millisecond, the most that one of a few messages of 1 MiB gets; empty
/// where all are alike, within 5 %.
std::vector<std::int64_t> rates(const Request& request, const Model& model);

/// The largest message that ranks 0 and 1 send without a rendezvous; `never` where the model knows of none.
Bytes eager_limit(const Model& model);

}  // namespace tombolo
