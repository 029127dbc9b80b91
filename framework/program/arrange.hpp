#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <tombolo/framework/program/costs.hpp>
#include <tombolo/framework/program/outlook.hpp>
#include <tombolo/framework/program/run_report.hpp>
#include <tombolo/framework/program/shared_out.hpp>

namespace tombolo {

struct ArrangeOptions {
  SharePolicy policy = SharePolicy::best;
  bool native = false;  ///< MPI's own collectives: nothing overlaps
  int panels = 0;       ///< of slices that can be cut; 0: as many as are predicted to be best
  bool overlap = true;
  /// Makes a planner of all ranks whose links are as good as their errors allow (platform/certainty.hpp); null, or
  /// none, where they are sure. Asked only where ranks would be left out.
  std::function<std::shared_ptr<Planner>()> at_best = {};
};

/// An arrangement and what is expected of it.
struct Arranged {
  Arrangement arrangement;
  Outlook outlook;
};

/// Chooses who takes part, the shares, the panels and whether collectives overlap with computation, by prediction.
/// Ranks are left out by speed, the slowest first, or by clusters, where that gains at best links too; roots stay.
/// Among all the ways those are looked at closely that are the fastest by bounds. `planner` is that of all ranks.
/// `passes` of each loop are reckoned with. Throws Error where no rank has a speed, or given shares are not one for
/// each rank. Pure; takes as long as some ten choices of plans, so one rank does it for all.
Arranged arrange(const Declaration& program, const Workers& workers, Planner& planner, const ArrangeOptions& options,
                 std::span<const std::int64_t> passes);

/// What is expected, in the report's tasks, which are those of the program, its members and loops.
void fill_in(const Declaration& program, const Arranged& arranged, const SpeedsByKernel& speeds,
             std::span<const std::int64_t> passes, RunReport& report);

/// How long each member is expected to compute over slices, and to pack and unpack, in so many passes of each loop.
std::vector<double> computing_seconds(const Declaration& program, const Arrangement& arrangement,
                                      const SpeedsByKernel& speeds, std::span<const std::int64_t> passes);

/// The bound of a report from those of its tasks: what overlaps may hide all but the longest.
double bound_of(const Declaration& program, const RunReport& report);

/// As many passes of each loop as it may take, or a hundred, if that is less.
std::vector<std::int64_t> expected_passes(const Declaration& program);

}  // namespace tombolo
