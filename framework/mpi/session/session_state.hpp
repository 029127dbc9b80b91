#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>

#include <tombolo/collectives/mpi/run_platform.hpp>
#include <tombolo/session.hpp>

namespace tombolo {

/// The machines of a session's run, and the speeds that it measures of them.
struct Session::State : RunPlatform {
  using RunPlatform::RunPlatform;

  bool started_mpi = false;
  std::optional<CheckpointOptions> checkpoints = {};
  std::map<std::string, int> saved_programs = {};  ///< programs with checkpoints, by folder name

  /// Measures gemm at several sizes on all ranks, within a part of the `budget` of a discovery in seconds.
  void measure_speeds(double budget);
  /// Charges a simulated processor for the operations; no effect on a real one.
  void charge(double operations) const;
  /// Returns this rank's speed, in units per second.
  std::int64_t speed_of(double units, double operations, const std::function<std::int64_t()>& kernel) const;
};

}  // namespace tombolo
