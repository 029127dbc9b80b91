#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <tombolo/framework/program/plan/arrange.hpp>
#include <tombolo/framework/program/report/run_report.hpp>

namespace tombolo {

/// Fills the predictions into the tasks, members and loops of a report.
void fill_in(const Declaration& program, const Arranged& arranged, const SpeedsByKernel& speeds,
             std::span<const std::int64_t> passes, RunReport& report);

/// Returns the predicted seconds of each member for computation over domains, packing and unpacking, with `passes`
/// passes of each loop.
std::vector<double> computing_seconds(const Declaration& program, const Arrangement& arrangement,
                                      const SpeedsByKernel& speeds, std::span<const std::int64_t> passes);

/// Returns the bound of a report from the bounds of its tasks: overlap may hide all tasks but the longest.
double bound_of(const Declaration& program, const RunReport& report);

}  // namespace tombolo
