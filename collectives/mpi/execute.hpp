#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include <mpi.h>

#include <tombolo/collectives/mpi/execution.hpp>
#include <tombolo/collectives/mpi/memory.hpp>
#include <tombolo/collectives/plan/prepared.hpp>

namespace tombolo {

/// Executes plans on one rank with point-to-point calls, each step once its dependencies are complete and its channel
/// admits it. The communicator must carry no messages but those of executors, and all ranks must begin the same calls,
/// of all executors on it, in the same order.
///
/// Several calls may be pending at a time. Each started call has its own tags. Blocking calls share a range of tags: a
/// rank completes one before it begins the next, and MPI keeps messages of one tag in order. When calls run out of
/// tags, the oldest is completed first. All pending calls progress during every call of the executor.
///
/// All methods throw Error on an MPI error; then messages may be pending and other ranks waiting, and the only remedy
/// is to end the run (MPI_Abort).
class Executor {
 public:
  /// Uses `phantom` for scratch if large enough (machine::phantom).
  explicit Executor(MPI_Comm communicator, std::span<std::byte> phantom = {});
  /// For blocking calls of some ranks of a communicator. `number`: the same on all of them; messages of executors with
  /// different numbers hardly ever have the same tags, so most that are out of order are not mixed up.
  Executor(Peers peers, std::uint64_t number);

  /// Returns when this rank's part is complete.
  void run(const PreparedPlan& plan, Memory& memory);

  /// Returns at once; `plan` must last until release().
  Execution& start(const PreparedPlan& plan, const Memory& memory);
  bool test(Execution& execution);
  void wait(Execution& execution);
  /// Waits until one of several executions is complete; one or more.
  void wait_for_any(std::span<Execution* const> executions);
  /// Ends the use of a completed execution.
  void release(Execution& execution);
  /// Completes all pending calls; no effect after an MPI error.
  void finish();
  /// Returns true after an MPI error. Calls pending then may never complete.
  bool failed() const { return failed_; }

 private:
  Execution& free_one();
  void begin(Execution& execution, const PreparedPlan& plan, const Memory& memory, Tags tags);
  void complete(Execution& execution);
  void get_on(const std::vector<Messages::Origin>& finished);
  void remove_done();

  Peers peers_;
  ScratchPool scratch_;  // of all calls
  Messages messages_;
  std::vector<std::unique_ptr<Execution>> all_;
  std::vector<Execution*> free_;
  std::vector<Execution*> under_way_;
  Tags blocking_;                    // of blocking calls
  std::int64_t started_ = 0;         // the first tag of started calls
  std::int64_t range_ = 0;           // number of tags of each started call
  std::vector<Execution*> holders_;  // the call of each range of tags
  std::size_t next_ = 0;             // the next range to use
  bool failed_ = false;
};

}  // namespace tombolo
