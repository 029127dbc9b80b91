#include <utility>

#include <tombolo/collectives/mpi/planned.hpp>
#include <tombolo/platform/mpi/machine.hpp>

namespace tombolo {

PlannedCollectives::PlannedCollectives(MPI_Comm communicator, std::shared_ptr<Planner> planner,
                                       std::span<std::byte> phantom, std::shared_ptr<CallTimes> times)
    : Collectives(communicator),
      planner_(std::move(planner)),
      times_(std::move(times)),
      native_(Shared{Collectives::communicator()}),
      executor_(std::make_shared<Executor>(Collectives::communicator(), phantom)) {}

PlannedCollectives::~PlannedCollectives() {
  try {
    executor_->finish();
  } catch (const std::exception&) {  // NOLINT(bugprone-empty-catch): no caller to report to
  }
}

void PlannedCollectives::carry_out(const Request& request, const void* input, void* output, MPI_Datatype type,
                                   MPI_Op op) {
  const std::shared_ptr<const PreparedPlan> plan = planner_->blocking(request, rank());
  if (plan == nullptr) {
    native_.run(request, input, output, type, op);
    return;
  }
  Memory where = memory(input, output, type, op);
  const Picoseconds entered = times_ ? machine::now() : 0;
  executor_->run(*plan, where);
  if (times_) times_->add(*plan, entered, machine::now());
}

Pending PlannedCollectives::start(const Request& request, const void* input, void* output, MPI_Datatype type,
                                  MPI_Op op) {
  check(request);
  return {executor_, plan(request), memory(input, output, type, op)};
}

Persistent PlannedCollectives::persistent(const Request& request, const void* input, void* output, MPI_Datatype type,
                                          MPI_Op op) {
  check(request);
  return {executor_, plan(request), memory(input, output, type, op)};
}

void PlannedCollectives::run(const Plan& plan, const void* input, void* output, MPI_Datatype type, MPI_Op op) {
  Memory where = memory(input, output, type, op);
  executor_->run(PreparedPlan(plan, rank()), where);
}

Pending PlannedCollectives::start(const Plan& plan, const void* input, void* output, MPI_Datatype type, MPI_Op op) {
  return {executor_, std::make_shared<const PreparedPlan>(plan, rank()), memory(input, output, type, op)};
}

Persistent PlannedCollectives::persistent(const Plan& plan, const void* input, void* output, MPI_Datatype type,
                                          MPI_Op op) {
  return {executor_, std::make_shared<const PreparedPlan>(plan, rank()), memory(input, output, type, op)};
}

}  // namespace tombolo
