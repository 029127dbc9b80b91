#pragma once

#include <functional>
#include <span>
#include <vector>

#include <tombolo/collectives/thresholds.hpp>
#include <tombolo/platform/units.hpp>

namespace tombolo {

/// Every time that a linear gather with blocks of one size took.
struct RepeatedTimes {
  Bytes size = 0;
  std::vector<Picoseconds> times;  ///< at least one
};

/// A row of gathers of ascending sizes, judged. Escalations come by chance: one gather in twenty takes tens of times as
/// long, which the median does not show and the mean only hints at. So a size's time is its lower quartile, which they
/// leave alone, and it escalates where
///
/// - some repetition took more than ten times that, as the LMO paper has it; or
/// - a quarter took more than twice what the smaller regular sizes lead to expect, in proportion to the size: what
///   waits 200 ms for a retransmission is not tenfold where the block alone takes 50. At the end of the row, where
///   times are steady, that is not an escalation but the steeper line of large messages.
///
/// Escalations come at discrete levels, those of timeouts. So what exceeds by less than a tenth of the worst in the row
/// is something else: small gathers take so short that any disturbance is tenfold.
struct EscalatingRow {
  SizeTimes row;
  Picoseconds excess = 0;  ///< what the sizes that escalate take on average beyond what they should
};
EscalatingRow judge_escalations(std::span<const RepeatedTimes> gathers);

using TimeAgain = std::function<std::vector<Picoseconds>(Bytes size)>;

/// The same after those of the suspect sizes that seem to escalate were timed again, which replaces their times: other
/// load on a machine slows down tenfold too, but hardly the same size twice.
EscalatingRow confirmed_escalations(std::vector<RepeatedTimes>& gathers, std::span<const Bytes> suspects,
                                    const TimeAgain& again);

}  // namespace tombolo
