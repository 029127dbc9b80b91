#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <tombolo/framework/program/plan/costs.hpp>
#include <tombolo/framework/program/plan/outlook.hpp>
#include <tombolo/framework/program/plan/workers.hpp>

namespace tombolo {

struct ArrangeOptions {
  SharePolicy policy = SharePolicy::best;
  bool native = false;  ///< native collectives, without overlap
  int panels = 0;       ///< panels of each domain that can be cut; 0: the number predicted to be best
  bool overlap = true;
  /// Returns a planner of all ranks at the optimistic end of every link's error bar (platform/measuring/certainty.hpp);
  /// null, or an empty function, if the links are certain. Called only before ranks are left out.
  std::function<std::shared_ptr<Planner>()> at_best = {};
};

/// An arrangement and its prediction.
struct Arranged {
  Arrangement arrangement;
  Outlook outlook;
  Pairing pairing = Pairing::none;
};

/// Chooses members, shares, panels and the overlap of collectives with computation, by prediction. Ranks are left out
/// by speed, the slowest first, or by clusters, only if that also helps at the optimistic end of every link's error
/// bar; roots stay. Bounds preselect the sets of members that are predicted in full. `planner` is the planner of all
/// ranks; `passes` are the expected passes of each loop. Throws Error if a kernel has no speed on a rank, or if speeds,
/// given shares, roots or explicit distributions do not match the ranks. Pure; one rank chooses for all, as the cost is
/// that of about ten choices of plans.
Arranged arrange(const Declaration& program, const Workers& workers, Planner& planner, const ArrangeOptions& options,
                 std::span<const std::int64_t> passes);

/// Returns the passes of each loop; at most 100 for a loop with a rule.
std::vector<std::int64_t> expected_passes(const Declaration& program);

}  // namespace tombolo
