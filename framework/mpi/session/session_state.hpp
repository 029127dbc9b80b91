#pragma once

#include <cstdint>
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
};

/// Returns what the ranks of a session know of their machines.
RunPlatform& machines_of(Session& session);

}  // namespace tombolo
