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

Pending PlannedCollectives::ibarrier() {
  return start(Request::barrier(ranks()), nullptr, nullptr, MPI_BYTE);
}

Pending PlannedCollectives::ibcast(void* buffer, std::int64_t count, MPI_Datatype type, Rank root) {
  check_bcast_buffer(buffer);
  return start(Request::bcast(ranks(), root, count, layout(type).size), nullptr, buffer, type);
}

Pending PlannedCollectives::ireduce(const void* input, void* output, std::int64_t count, MPI_Datatype type, MPI_Op op,
                                    Rank root) {
  const Request request = Request::reduce(ranks(), root, count, layout(type).size, commutes(op));
  return start(request.with_in_place(input == MPI_IN_PLACE), input, output, type, op);
}

Pending PlannedCollectives::iallreduce(const void* input, void* output, std::int64_t count, MPI_Datatype type,
                                       MPI_Op op) {
  const Request request = Request::allreduce(ranks(), count, layout(type).size, commutes(op));
  return start(request.with_in_place(input == MPI_IN_PLACE), input, output, type, op);
}

Pending PlannedCollectives::iallgatherv(const void* input, const Blocks& blocks, void* output, MPI_Datatype type) {
  check_blocks(Operation::allgatherv, blocks);
  const Request request = Request::allgatherv(blocks, layout(type).size);
  return start(request.with_in_place(input == MPI_IN_PLACE), input, output, type);
}

}  // namespace tombolo
