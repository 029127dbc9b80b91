#pragma once

#include <tombolo/collectives/mpi/planned.hpp>
#include <tombolo/framework/mpi/program/tasks/task_runner.hpp>

namespace tombolo {

/// Runner of a task that is one collective. Kinds differ in buffers, and in the work after completion.
class CollectiveRunner : public TaskRunner {
 public:
  CollectiveRunner(const RunContext& run, const Action& action);

  void run(const std::function<void()>& between) final;
  /// Begins the collective; for planned collectives only.
  std::optional<Pending> begin() final;

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
