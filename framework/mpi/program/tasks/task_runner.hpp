#pragma once

#include <functional>
#include <memory>
#include <optional>

#include <mpi.h>

#include <tombolo/collectives/choose/planner.hpp>
#include <tombolo/collectives/mpi/pending.hpp>
#include <tombolo/collectives/mpi/planned.hpp>
#include <tombolo/framework/mpi/program/body.hpp>
#include <tombolo/framework/mpi/program/recorder.hpp>
#include <tombolo/framework/program/plan/costs.hpp>

namespace tombolo {

class CheckMode;

/// Context of one run of a program on one member.
struct RunContext {
  ProgramBody& body;
  Arrangement& arrangement;  ///< shares may change during the run
  Rank member = 0;
  MPI_Comm communicator = MPI_COMM_NULL;  ///< of the members
  Collectives& collectives;
  Planner& planner;
  Costs& costs;
  Recorder& recorder;
  Session& session;
  CheckMode* check = nullptr;  ///< null unless bodies are checked
};

/// Runs one action of a program on one rank, pass after pass, and keeps state between passes until shares change; then
/// a new runner is created. One class for each kind of task, in a file of this folder; tasks.def lists the kinds.
class TaskRunner {
 public:
  TaskRunner(const RunContext& run, const Action& action)
      : run_(run), action_(action), task_(run.body.task(action.task)) {}
  virtual ~TaskRunner() = default;
  TaskRunner(const TaskRunner&) = delete;
  TaskRunner& operator=(const TaskRunner&) = delete;

  /// Progresses collectives; returns false if none is under way.
  using Between = std::function<bool()>;
  /// Runs the action. `between`, if not empty, is called between pieces of a computation.
  virtual void run(const Between& between) = 0;
  /// Begins the action; finish() completes it after the returned call. None: the action is complete.
  virtual std::optional<Pending> begin() {
    run({});
    return std::nullopt;
  }
  virtual void finish() {}
  /// The collective of the action; null without one.
  virtual const Request* request() const { return nullptr; }

 protected:
  ArrayMemory& array() const { return run_.body.array(task_.array); }
  ArrayMemory& other_array() const { return run_.body.array(task_.to); }

  const RunContext& run_;
  const Action action_;
  const DeclaredTask& task_;
};
/// Creates the runner of an action, with plans and memory, so that their cost is not timed. `run` must outlive the
/// runner.
std::unique_ptr<TaskRunner> runner_of(const RunContext& run, const Action& action);

#define TOMBOLO_TASK(NAME) std::unique_ptr<TaskRunner> NAME##_runner(const RunContext& run, const Action& action);
#include <tombolo/framework/program/declare/tasks/tasks.def>
#undef TOMBOLO_TASK

// Helpers for the kinds of tasks.

/// Sets a partial value to the identity before the first call of a pass that combines it.
void begin_partial(const RunContext& run, const DeclaredTask& task);

/// Exchanges the halo of an array, apart from any task. Collective.
void exchange_halo(const RunContext& run, int array);

/// Runner of a task that is one collective. Kinds differ in buffers, and in the work after completion.
class CollectiveRunner : public TaskRunner {
 public:
  CollectiveRunner(const RunContext& run, const Action& action);

  void run(const Between& between) final;
  /// Begins the collective; for planned collectives only.
  std::optional<Pending> begin() final;
  const Request* request() const final { return request_ ? &*request_ : nullptr; }

 protected:
  struct Buffers {
    const void* input;
    void* output;
  };
  /// Returns the buffers, with the data to send in order.
  virtual Buffers buffers() = 0;
  /// Allocates memory for elements of the type of the task's array.
  Storage<std::byte> room_for(std::int64_t elements) const;
  /// Returns the memory of the task on this rank: its items if the domain is in one panel, else all that the rank
  /// holds.
  std::byte* held(const ArrayMemory& array) const;

  std::optional<Request> request_;  // none: no communication

 private:
  MPI_Datatype type() const { return array().type(); }
  MPI_Op op() const { return run_.body.reduction(task_.array).op; }

  PlannedCollectives* planned_;  // null: native collectives
  std::optional<Plan> plan_;     // of later panels, made from the plan of the first panel
};

}  // namespace tombolo
