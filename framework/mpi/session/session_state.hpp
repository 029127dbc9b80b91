#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <mpi.h>

#include <tombolo/collectives/choose/kept_plans.hpp>
#include <tombolo/collectives/choose/planner.hpp>
#include <tombolo/collectives/choose/tuning.hpp>
#include <tombolo/collectives/mpi/timing/call_times.hpp>
#include <tombolo/platform/clustering/clustering.hpp>
#include <tombolo/platform/file/platform_cache.hpp>
#include <tombolo/session.hpp>

namespace tombolo {

/// The processors of a session, and the platform, tuning and planner that it has found or was given.
struct Session::State {
  MPI_Comm communicator = MPI_COMM_NULL;
  Rank rank = 0;
  Picoseconds began = 0;  ///< on this rank's clock
  bool started_mpi = false;
  std::vector<Processor> processors = {};
  std::vector<std::string> levels = {};  ///< TOMBOLO_LEVELS of each rank; empty if no rank has any
  std::optional<Platform> platform = {};
  std::string platform_source = {};
  bool platform_is_file = false;
  std::optional<Tuning> tuning = {};
  std::shared_ptr<KeptPlans> plans = {};                 ///< null in a simulation and where nothing is kept
  std::optional<std::filesystem::path> plans_file = {};  ///< on rank 0
  std::shared_ptr<CallTimes> call_times = {};            ///< of all ranks in order; null without `plans`
  std::shared_ptr<Planner> planner = {};

  void find_processors();
  void find_levels();
  void make_planner();
  /// Reads the plans that earlier runs kept of this platform. Collective.
  void recall_plans();
  /// Writes the plans on rank 0, for later runs.
  void keep_plans() const;
  /// Measures gemm at several sizes on all ranks, within a part of the `budget` of a discovery in seconds.
  void measure_speeds(double budget);
  /// Charges a simulated processor for the operations; no effect on a real one.
  void charge(double operations) const;
  /// Returns this rank's speed, in units per second.
  std::int64_t speed_of(double units, double operations, const std::function<std::int64_t()>& kernel) const;
  std::vector<std::string> hosts_by_rank() const;
  CacheKey cache_key() const;
  /// Returns what the ranks state of their levels, by host. Throws AgreedError. Collective.
  StatedLevels stated_levels() const;
};

}  // namespace tombolo
