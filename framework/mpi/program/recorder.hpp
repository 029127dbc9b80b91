#pragma once

#include <cstdint>
#include <vector>

#include <mpi.h>

#include <tombolo/framework/program/plan/outlook.hpp>

namespace tombolo {

/// Measured times of a run, known to all ranks after the run. Seconds.
struct Recorded {
  double seconds = 0;                           ///< from the common start to the end of the last rank
  std::vector<double> added;                    ///< by task: from the latest end of earlier actions to its own end
  std::vector<std::int64_t> passes;             ///< by loop
  std::vector<std::int64_t> changes;            ///< changes of shares, by loop
  std::vector<std::vector<double>> computing;   ///< by member and task, for tasks that compute
  std::vector<std::vector<double>> spent;       ///< by member and task, waiting included
  std::vector<std::vector<double>> operations;  ///< declared operations done, by member and task

  /// Adds the measurements of an earlier part of the run, with the same or other members; passes are not added.
  void add(const Recorded& before, const std::vector<Rank>& members_before, const std::vector<Rank>& members);
};

/// Time of an action on this rank, in seconds since the common start.
struct Done {
  int task = 0;
  int panel = 0;
  double start = 0;
  double end = 0;
};

/// Records the times of this rank's actions and finds the time that each task added on the slowest of all ranks. Ends
/// of actions are buffered up to a fixed number and then reduced over all ranks: every rank notes the same actions in
/// the same order.
class Recorder {
 public:
  Recorder(MPI_Comm communicator, std::size_t tasks, bool keeps_all);

  /// Starts the clock of all ranks together. Collective.
  void start();
  double now() const { return MPI_Wtime() - start_; }

  /// Notes the times of a completed pass over `actions` on this rank. Collective when the buffer is full.
  void note(const Section& section, const std::vector<Action>& actions, const std::vector<Done>& done);
  /// Reads the clock; looked() returns the last reading.
  void look() { looked_ = now(); }
  double looked() const { return looked_; }
  /// Records operations of this rank since the last reading, and reads the clock.
  void computed(int task, double operations);
  double computing(int task) const { return mine_.computing[0][static_cast<std::size_t>(task)]; }

  /// Returns all measurements, the same on all ranks. Collective.
  Recorded finish();
  /// Returns the times of this rank's actions, if they are kept.
  const std::vector<Done>& done() const { return done_; }

 private:
  void tell();

  struct Noted {
    Section section;
    const std::vector<Action>* actions = nullptr;
  };
  MPI_Comm communicator_;
  bool keeps_all_;
  double start_ = 0;
  double looked_ = 0;
  double mine_until_ = 0;
  double front_ = 0;          // latest end known to all ranks
  std::vector<Noted> noted_;  // passes not yet reduced
  std::vector<double> ends_;  // ends of their actions on this rank
  std::vector<double> added_;
  Recorded mine_;
  std::vector<Done> done_;
};

}  // namespace tombolo
