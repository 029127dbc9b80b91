#pragma once

#include <span>

#include <tombolo/units.hpp>

namespace tombolo {

/// A message sent concurrently with others.
struct FlowTime {
  Bytes bytes = 0;
  Picoseconds time = 1;      ///< from the common start to the end of this message; positive
  BytesPerSecond alone = 0;  ///< rate of the message without the others
};

/// Returns the total rate, in B/s, of messages that started together, while all of them were in transit. Transport
/// protocols do not share a link fairly: an early message was fast at the cost of the others, so the sum of the single
/// rates may be far above the capacity of the link. The result is the capacity with which all bytes arrive in the
/// measured times if the remaining messages never exceed the sum of their rates alone. Bounds: all bytes divided by the
/// time of the last message, and the sum of the single rates. 0 for no messages.
BytesPerSecond shared_rate(std::span<const FlowTime> flows);

/// Returns true if a rate is over a tenth below another.
constexpr bool falls_short(BytesPerSecond rate, BytesPerSecond of) {
  return rate / 9 * 10 < of;
}

/// Returns true if so many messages at once got over a tenth less than each had alone: a link that they share was the
/// limit. Else the limit was each one's own, and says nothing about more messages.
constexpr bool slowed_each_other(BytesPerSecond alone, int messages, BytesPerSecond together) {
  return falls_short(together, alone * messages);
}

/// Returns the rate that all messages out of a cluster share, as far as its links to others tell: among the best of
/// them, which get the same within `bound`, are two to clusters that get more elsewhere. So what they have in common
/// is the limit, the way out of this cluster. 0 if the links do not tell. `rates`: by link_index(), 0 where unknown.
BytesPerSecond shared_way_out(int cluster, std::span<const BytesPerSecond> rates, int clusters, double bound);

}  // namespace tombolo
