#pragma once

#include <cstdint>
#include <vector>

#include <mpi.h>

#include <tombolo/framework/program/outlook.hpp>
#include <tombolo/framework/program/recorded.hpp>

namespace tombolo {

/// When something was done on this rank, in seconds since the common start.
struct Done {
  int task = 0;
  int panel = 0;
  double start = 0;
  double end = 0;
};

/// Writes down when this rank does what, and finds what each task added on the slowest of all ranks. Ends of actions
/// are kept until so many are there, then told to all: every rank notes the same actions in the same order.
class Recorder {
 public:
  Recorder(MPI_Comm communicator, std::size_t tasks, bool keeps_all);

  /// All ranks begin together. Collective.
  void start();
  double now() const { return MPI_Wtime() - start_; }

  /// One pass over these actions is over: when each was done here. Collective now and then.
  void note(const Section& section, const std::vector<Action>& actions, const std::vector<Done>& done);
  /// Operations of this rank, and the seconds that they took.
  void computed(int task, double operations, double seconds);
  double computing(int task) const { return mine_.computing[0][static_cast<std::size_t>(task)]; }

  /// Everything, the same on all ranks. Collective.
  Recorded finish();
  /// All that was done on this rank, if it was to be kept.
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
  double mine_until_ = 0;
  double front_ = 0;          // latest end that all know of
  std::vector<Noted> noted_;  // passes
  std::vector<double> ends_;  // of their actions, here
  std::vector<double> added_;
  Recorded mine_;
  std::vector<Done> done_;
};

}  // namespace tombolo
