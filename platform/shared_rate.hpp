#pragma once

#include <span>

#include <tombolo/platform/units.hpp>

namespace tombolo {

/// A message that was under way beside others.
struct FlowTime {
  Bytes bytes = 0;
  Picoseconds time = 1;      ///< from the start of all of them to its end; positive
  BytesPerSecond alone = 0;  ///< what it would have got alone
};

/// What so many messages that began together got in sum while all of them were under way; B/s. Transport protocols do
/// not share a link fairly: a message that is through early was fast at the cost of others, so the sum of what each got
/// may be far above what the link carries. It is what the link must carry if all bytes were through when they were,
/// while those that are left can never use more than each gets alone; between all bytes by the time of the last, and
/// that sum. 0 for no messages.
BytesPerSecond shared_rate(std::span<const FlowTime> flows);

}  // namespace tombolo
