#pragma once

#include <tombolo/models/laboratory.hpp>
#include <tombolo/models/lmo_solve.hpp>
#include <tombolo/platform/platform.hpp>

namespace tombolo {

/// Finds the parameters of LMO: round trips, empty and of M bytes with empty answers, then one-to-two experiments
/// (lmo_design.hpp says between whom), each made once: what several triplets say about one rank are the statistics. In
/// the extended model they are empty and full by turns, where a rank is in 12 triplets or more.
///
/// Where these values are further apart than `precision` (LmoSolution::spread), that may be noise, or a machine that is
/// not as the model has it, which no repetition helps. So 16 round trips and 16 one-to-two are made once more. Where
/// they take the same time, to a thousandth, that is all. Else everything is made again, up to `passes` times, and
/// times are averaged; unless a second pass brings the values hardly closer. Medians and trimmed means take at least
/// five passes. What no redundancy covers is repeated in each pass, until its interval is narrow: links between
/// clusters, what ranks of clusters of one or two need, and, more often, whatever ranks in fewer than six triplets take
/// part in. Collective.
Lmo::Parameters estimate_lmo(const Platform& platform, Laboratory& laboratory, const LmoOptions& options);

}  // namespace tombolo
