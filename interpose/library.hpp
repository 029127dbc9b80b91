#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include <mpi.h>

#include <tombolo/collectives/choose/planner.hpp>
#include <tombolo/collectives/mpi/run_platform.hpp>
#include <tombolo/interpose/report.hpp>

namespace tombolo::interpose {

class Communicator;

/// What the environment of world rank 0 asks for; the same on all ranks.
struct Settings {
  bool compare = false;            ///< TOMBOLO_COMPARE=1: native and planned calls take turns and are both timed
  bool native_reductions = false;  ///< TOMBOLO_REDUCTIONS=native: results have the native library's bits
  bool pinned = false;             ///< TOMBOLO_REDUCTIONS=pinned: results do not depend on how data moves
  bool report = false;             ///< TOMBOLO_REPORT=FILE
  bool quiet = false;              ///< TOMBOLO_QUIET=1
};

/// Prints one line and ends all ranks.
[[noreturn]] void end_run(const std::string& cause);

/// This process's part of a run of an unmodified program: what MPI_Init has found out, until MPI_Finalize.
class Library {
 public:
  static Library& get();

  /// Finds hosts, settings and platform, if there is more than one host. After MPI has started. Collective over
  /// MPI_COMM_WORLD; the same outcome on all ranks.
  void start();
  /// Writes the report, keeps the plans and prepares the end. Before MPI ends. Collective over MPI_COMM_WORLD.
  void finish();
  /// True between start() and finish() if collectives are planned or reported.
  bool active() const { return active_; }

  const Settings& settings() const { return settings_; }
  /// Of MPI_COMM_WORLD.
  int ranks() const { return ranks_; }
  /// True if there is a platform to plan for. The same on all ranks.
  bool plans() const { return run_ && run_->planner; }
  /// Returns the planner for these world ranks. Requires plans(), and the lock planning().
  std::shared_ptr<Planner> planner_for(const std::vector<Rank>& members);
  /// True if all these world ranks are on one host.
  bool one_host(const std::vector<Rank>& members) const;
  /// Guards planners, which communicators and so threads share.
  std::mutex& planning() { return planning_; }
  /// The times of calls on MPI_COMM_WORLD, for later runs; null where nothing is kept. Not of duplicates: threads may
  /// use them in another order on each rank.
  CallTimes* call_times() const { return run_ ? run_->call_times.get() : nullptr; }
  /// Returns a communicator of the same ranks with neither attributes nor the user's error handler: it returns errors.
  /// Not a duplicate, which would run the copy functions of the user's attributes. `tag`: the next_tag() of one of
  /// these ranks. Null on all ranks where MPI has no more communicators, of which the program does not hear. Collective
  /// over the communicator, whose ranks are world ranks.
  MPI_Comm copy_of(MPI_Comm communicator, int tag) const;
  /// True if threads of a rank may call MPI in any order (MPI_THREAD_SERIALIZED, MPI_THREAD_MULTIPLE). The same on all
  /// ranks.
  bool several_threads() const { return several_threads_; }
  /// The copy of MPI_COMM_WORLD that the library has from start() on.
  MPI_Comm copy_of_world() const { return communicator_; }
  /// How far this rank's clock was ahead of world rank 0's at the start. Clocks drift, so that what ranks measure by
  /// them later is off by about the same in all calls.
  Picoseconds clock_ahead() const { return clock_ahead_; }
  /// Returns a tag that no other rank and no other thread has at the same time.
  int next_tag();
  /// Remembers a communicator until it is taken.
  void know(const Communicator* communicator);
  /// Keeps the report of a communicator that the user frees.
  void take(const Communicator& communicator);

 private:
  bool compare_ranks();  // true if a rank has devices that plans cannot serve
  void find_platform();
  void say_what_is_done() const;
  void keep_plans();
  void report();
  void write_report(const std::string& all, const std::vector<int>& lengths, const std::vector<int>& places) const;

  bool active_ = false;
  int rank_ = 0;
  int ranks_ = 1;
  MPI_Comm communicator_ = MPI_COMM_NULL;
  MPI_Comm parent_ = MPI_COMM_NULL;  // of copies; null: one thread, which needs none
  Picoseconds clock_ahead_ = 0;
  Settings settings_;
  std::string report_file_;  // on rank 0
  bool one_host_ = false;    // of all ranks
  bool several_threads_ = false;
  std::string passes_why_;  // all calls pass through for this reason; empty: they do not
  std::optional<RunPlatform> run_;
  std::atomic<std::int64_t> copies_ = 0;
  std::mutex planning_;
  std::mutex reporting_;
  std::vector<const Communicator*> known_;
  std::vector<CommunicatorReport> reports_;  // of those that are freed
};

}  // namespace tombolo::interpose
