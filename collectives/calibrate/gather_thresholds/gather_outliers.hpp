#pragma once

#include <functional>
#include <span>
#include <vector>

#include <tombolo/collectives/calibrate/gather_thresholds/thresholds.hpp>
#include <tombolo/platform/units.hpp>

namespace tombolo {

/// All measured times of a linear gather with blocks of one size.
struct RepeatedTimes {
  Bytes size = 0;
  std::vector<Picoseconds> times;  ///< at least one
};

/// A row of gathers of ascending sizes, classified. Outliers are random: one gather in twenty takes tens of times as
/// long, which the median does not show and the mean barely does. So the time of a size is its lower quartile, which
/// outliers do not affect, and a size has outliers if
///
/// - some repetition took more than ten times the lower quartile, as in the LMO paper; or
/// - a quarter of the repetitions took more than twice the time extrapolated from the smaller regular sizes in
///   proportion to the size: a wait of 200 ms for a retransmission is not tenfold if the block alone takes 50 ms. At
///   the end of the row, steady times of this kind are not outliers but the steeper line of large messages.
///
/// Outliers have discrete levels, those of timeouts. So an excess of less than a tenth of the worst in the row has
/// another cause: small gathers are so short that any disturbance is tenfold.
struct EscalatingRow {
  SizeTimes row;
  Picoseconds excess = 0;  ///< mean excess time of the sizes with outliers
};
EscalatingRow judge_escalations(std::span<const RepeatedTimes> gathers);

using TimeAgain = std::function<std::vector<Picoseconds>(Bytes size)>;

/// judge_escalations() after a second measurement of the suspect sizes with outliers, which replaces their times: other
/// load on a machine can slow down gathers tenfold too, but rarely the same size twice.
EscalatingRow confirmed_escalations(std::vector<RepeatedTimes>& gathers, std::span<const Bytes> suspects,
                                    const TimeAgain& again);

}  // namespace tombolo
