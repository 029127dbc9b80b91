#pragma once

#include <functional>
#include <optional>
#include <span>
#include <vector>

#include <tombolo/models/fitting/arithmetic.hpp>
#include <tombolo/units.hpp>

namespace tombolo {

/// The time of a linear scatter or gather with blocks of one size.
struct SizeTime {
  Bytes size = 0;
  Picoseconds time = 0;
  bool escalates = false;  ///< outliers were seen at this size, though `time` need not show them
  bool operator==(const SizeTime&) const = default;
};

/// In ascending order of size. Entries without time do not count.
using SizeTimes = std::vector<SizeTime>;

/// Measures a linear gather with blocks of these sizes; one entry per size, in the same order.
using MeasureSizes = std::function<SizeTimes(std::span<const Bytes> sizes)>;

/// Returns S of the LMO paper (section 5): the largest of the sizes that a linear scatter sends to all ranks in
/// parallel. With larger blocks its time leaps, as they are sent one after another. S is the break of the times (Bai
/// and Perron); nothing if there is none.
std::optional<Bytes> scatter_threshold(const SizeTimes& scatter);

/// The thresholds of a linear gather in the LMO paper. The times grow linearly up to M_1, and linearly but more steeply
/// above M_2; between the two some times are outliers, tens of times as long.
struct GatherThresholds {
  Bytes small = 0;              ///< M_1: the largest size below the first outlier
  Bytes large = 0;              ///< M_2: the largest size below the second linear part
  PerMegabyte small_slope = 0;  ///< of the times up to M_1: the time of one more byte in every block
  PerMegabyte large_slope = 0;  ///< of the times above M_2; 0 if the row has no such times
  bool operator==(const GatherThresholds&) const = default;
};

/// Finds the thresholds of a row of gather times. M_2 is above the last outlier and above the break of the other times
/// (Bai and Perron). M_1 is before the first time of more than ten times the previous one, or known to be an outlier.
/// To find M_1, the distance between sizes is halved until it is `finest`: each step measures the midpoints between the
/// sizes up to the first outlier, and may find an earlier one; down to one byte, about M_1 measurements in all. Without
/// such an outlier, M_1 is M_2. Nothing if the times neither break nor have outliers, or no linear part follows M_2;
/// but with known outliers near the end of the row, M_2 is the size of the last one.
std::optional<GatherThresholds> gather_thresholds(const SizeTimes& gather, const MeasureSizes& measure,
                                                  Bytes finest = 1);

/// The model's times of one more byte in every block, for a root with variable delay `root` (t_0 of the paper) and, for
/// every other rank, its variable delay plus that of its link, t_i + 1 / beta_0i. Equations 9 and 10, with the root's
/// delay for all other ranks in both; equation 10 of the paper has one fewer, and the equations for kappa have none.
struct GatherSlopes {
  PerMegabyte small = 0;
  PerMegabyte large = 0;
  bool operator==(const GatherSlopes&) const = default;
};
GatherSlopes modelled_gather_slopes(PerMegabyte root, std::span<const PerMegabyte> others);

/// Returns kappa_1 and kappa_2: the measured slopes minus the model's.
GatherSlopes gather_corrections(const GatherThresholds& measured, GatherSlopes modelled);

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
