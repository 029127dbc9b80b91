#pragma once

#include <functional>
#include <optional>
#include <span>
#include <vector>

#include <tombolo/models/per_byte.hpp>
#include <tombolo/platform/units.hpp>

namespace tombolo {

/// How long a linear scatter or gather takes with blocks of that size.
struct SizeTime {
  Bytes size = 0;
  Picoseconds time = 0;
  bool escalates = false;  ///< whether it is known to escalate at times, though `time` need not show it
  bool operator==(const SizeTime&) const = default;
};

/// Sizes ascending. Those that take no time do not count.
using SizeTimes = std::vector<SizeTime>;

/// Measures a linear gather with blocks of these sizes; one entry for each, in their order.
using MeasureSizes = std::function<SizeTimes(std::span<const Bytes> sizes)>;

/// S of the LMO paper (section 5): the largest of the sizes that a linear scatter sends to all at the same time; with
/// larger ones its time leaps, because they go to one after the other. Where the times break (Bai and Perron); nothing
/// where they do not.
std::optional<Bytes> scatter_threshold(const SizeTimes& scatter);

/// What the LMO paper finds in the times of a linear gather. Up to M_1 they grow linearly, above M_2 they do so again,
/// more steeply; between the two some of them escalate to tens of times as much.
struct GatherThresholds {
  Bytes small = 0;              ///< M_1: the largest size below the first that escalates
  Bytes large = 0;              ///< M_2: the largest size below those that are linear again
  PerMegabyte small_slope = 0;  ///< of the times up to M_1; what a byte more of every block takes
  PerMegabyte large_slope = 0;  ///< of the times above M_2; 0 where the row ends before there are any
  bool operator==(const GatherThresholds&) const = default;
};

/// M_2 is above the last time that escalates, and above where the others break (Bai and Perron). M_1 is before the
/// first time that is more than ten times the one before it, or is known to escalate. To find it, the distance between
/// sizes is halved until it is `finest`: each time the sizes up to the first escalation are measured that lie in the
/// middle between those measured before, and an earlier one may turn out to escalate; down to one byte, about M_1
/// measurements in all. Where no time escalates so, M_1 is M_2. Nothing where the times neither break nor escalate, or
/// no line follows that could be M_2's; but where sizes are known to escalate and the row ends too soon after them, M_2
/// is the last of these.
std::optional<GatherThresholds> gather_thresholds(const SizeTimes& gather, const MeasureSizes& measure,
                                                  Bytes finest = 1);

/// What the model says that a byte more of every block takes: a root of variable delay `root` (t_0 of the paper) and,
/// for every other rank, its own variable delay with the link's, t_i + 1 / beta_0i. Equations 9 and 10, with the root's
/// part for all the others in both; 10 has it for one less, and neither of the equations for kappa has it.
struct GatherSlopes {
  PerMegabyte small = 0;
  PerMegabyte large = 0;
  bool operator==(const GatherSlopes&) const = default;
};
GatherSlopes modelled_gather_slopes(PerMegabyte root, std::span<const PerMegabyte> others);

/// kappa_1 and kappa_2: what the measured slopes have beyond the model's.
GatherSlopes gather_corrections(const GatherThresholds& measured, GatherSlopes modelled);

}  // namespace tombolo
