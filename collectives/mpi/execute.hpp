#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include <mpi.h>

#include <tombolo/collectives/mpi/execution.hpp>
#include <tombolo/collectives/mpi/memory.hpp>
#include <tombolo/collectives/mpi/messages.hpp>
#include <tombolo/collectives/mpi/prepared.hpp>

namespace tombolo {

/// Carries out plans on one rank with point-to-point calls, each step as soon as the steps before it are complete and
/// its lane lets it. The communicator must carry no other messages between two ranks, and all ranks must begin the same
/// calls in the same order.
///
/// Several calls may be under way at a time. Each that was started has tags of its own; blocking ones need none, as a
/// rank is through with one before it begins the next, and MPI keeps messages of one tag in order. When there are more
/// under way than there are tags for, the oldest is completed first. Calls under way get on whenever this is called,
/// for whichever of them.
///
/// All throw Error when MPI reports one; then messages may be under way and other ranks waiting, and nothing but ending
/// the run (MPI_Abort) helps.
class Executor {
 public:
  /// Scratch is taken from `phantom` where that is large enough (machine::phantom).
  explicit Executor(MPI_Comm communicator, std::span<std::byte> phantom = {});

  /// Returns when this rank's part is complete.
  void run(const PreparedPlan& plan, Memory& memory);

  /// Returns at once; `plan` must last until release().
  Execution& start(const PreparedPlan& plan, const Memory& memory);
  bool test(Execution& execution);
  void wait(Execution& execution);
  /// It is done and will not be asked for again.
  void release(Execution& execution);
  /// Completes all calls under way; nothing where MPI has reported an error.
  void finish();
  /// Whether MPI has reported an error. What was under way then may never be complete.
  bool failed() const { return failed_; }

 private:
  Execution& free_one();
  void begin(Execution& execution, const PreparedPlan& plan, const Memory& memory, Tags tags);
  void complete(Execution& execution);
  void get_on(const std::vector<Messages::Origin>& finished);
  void remove_done();

  MPI_Comm communicator_;
  std::span<std::byte> phantom_;
  Messages messages_;
  std::vector<std::unique_ptr<Execution>> all_;
  std::vector<Execution*> free_;
  std::vector<Execution*> under_way_;
  Tags blocking_;                    // of blocking calls
  std::int64_t range_ = 0;           // tags of each started call, after those
  std::vector<Execution*> holders_;  // which call has which of these ranges
  std::size_t next_ = 0;             // whose turn it is
  bool failed_ = false;
  Scratch scratch_;  // of calls that run in rounds
};

}  // namespace tombolo
