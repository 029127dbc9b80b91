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
#include <tombolo/platform.hpp>
#include <tombolo/platform/clustering/clustering.hpp>
#include <tombolo/platform/file/platform_cache.hpp>

namespace tombolo {

/// What the ranks of one run know of their machines: processors, platform, tuning, plans of earlier runs, the planner.
/// The same on all ranks, bit for bit. All methods are collective over the communicator unless stated otherwise.
struct RunPlatform {
  MPI_Comm communicator = MPI_COMM_NULL;
  Rank rank = 0;
  Picoseconds began = 0;  ///< on this rank's clock
  std::vector<Processor> processors = {};
  std::vector<std::string> levels = {};  ///< TOMBOLO_LEVELS of each rank; empty if no rank has any
  std::optional<Platform> platform = {};
  std::string platform_source = {};
  bool platform_is_file = false;
  bool not_kept = false;  ///< the platform that was measured; so no later run has use for its plans
  bool imagined = false;  ///< the ranks are not here
  std::optional<Tuning> tuning = {};
  std::shared_ptr<KeptPlans> plans = {};                 ///< null in a simulation and where nothing is kept
  std::optional<std::filesystem::path> plans_file = {};  ///< on rank 0
  std::shared_ptr<CallTimes> call_times = {};            ///< of all ranks in order; null without `plans`
  std::shared_ptr<Planner> planner = {};

  /// Finds hosts, cores and stated levels. `threads`: BLAS threads of this rank. The communicator must return errors
  /// and outlive the object.
  RunPlatform(MPI_Comm communicator, int threads);
  /// Of ranks that are not here: this process alone, in `communicator`, plans for the ranks of a platform. What earlier
  /// runs kept is not used, and nothing is kept.
  RunPlatform(MPI_Comm communicator, Platform imagined, std::string source);

  /// Uses the platform of a file. Throws AgreedError if the file cannot be read or describes other hosts. An existing
  /// planner is made anew.
  void use_file(const std::string& path);
  /// Finds the platform unless there is one: the one kept for these hosts; else the result of a discovery of about one
  /// second, which is kept for later runs, except in a simulation. A kept platform from a quick measurement is measured
  /// again if the machine was busy then, or if a few messages take another time now; of one that took longer,
  /// `platform_source` says so. It also says why what was found could not be kept.
  const Platform& find();
  /// Keeps a platform for later runs on these hosts. Returns the path, empty if there is no place for the file. Never
  /// keeps in a simulation.
  std::string keep(const Platform& found) const;
  /// Stores a section (JSON text) in the platform, and keeps the platform for later runs unless it was read from a
  /// file.
  void remember(const std::string& section, std::string json);
  /// Charges a simulated processor for the operations; no effect on a real one. Local.
  void charge(double operations) const;
  /// Runs `kernel` on all ranks simultaneously and returns its results by rank, in units per second; in a simulation
  /// those of the simulated processors (Session::measure_rate()).
  std::vector<std::int64_t> measure_rate(double units, double operations,
                                         const std::function<std::int64_t()>& kernel) const;
  /// Returns this rank's speed, in units per second. Local.
  std::int64_t speed_of(double units, double operations, const std::function<std::int64_t()>& kernel) const;

  /// Uses the tuning of a file (docs/tuning.md). Throws AgreedError if the file cannot be read or is for other hosts.
  /// An existing planner is made anew.
  void use_tuning(const std::string& path);
  /// Makes the planner unless there is one: finds the platform, reads the tuning that TOMBOLO_TUNING of rank 0 names
  /// unless a tuning is in use, and the plans that earlier runs kept.
  void make_planner();

  /// Writes the plans on rank 0, for later runs. Returns why it could not, in words; else nothing. Local.
  std::string keep_plans() const;
  /// Adds the times of this run's blocking calls to its plans (Session::keep_experience()).
  void keep_experience() const;
  /// Returns what the ranks state of their levels, by host. Throws AgreedError.
  StatedLevels stated_levels() const;

 private:
  std::vector<int> find_processors(int threads, int length_of_levels);  // returns these lengths of all ranks
  void find_levels(const std::string& mine, const std::vector<int>& lengths);
  std::string write_kept(const Platform& found) const;  // on rank 0; returns why it could not, in words
  std::string changed() const;
  void recall_plans();
  void renew_planner();
  std::vector<std::string> hosts_by_rank() const;
  CacheKey cache_key() const;
};

}  // namespace tombolo
