#pragma once

#include <vector>

#include <tombolo/models/sampled_pairs.hpp>

namespace tombolo {

/// What LogP and LogGP say about a small message; ps.
struct SmallMessage {
  Picoseconds send_overhead = 0;     ///< o_s
  Picoseconds receive_overhead = 0;  ///< o_r
  Picoseconds latency = 0;           ///< L
  bool operator==(const SmallMessage&) const = default;
};

/// From a round trip and the calls within it: L = RTT / 2 - o_s - o_r (Culler et al. 1996; LMO paper, section 2). Where
/// the calls took longer than the message, as in shared memory, they overlap: L is 0, and they share RTT / 2 in
/// proportion.
SmallMessage small_message(Picoseconds round_trip, Picoseconds send_overhead, Picoseconds receive_overhead);

/// Measures these with messages of so many bytes, by class. Collective.
std::vector<SmallMessage> measure_small_messages(const SampledPairs& pairs, Laboratory& laboratory, Bytes bytes);

}  // namespace tombolo
