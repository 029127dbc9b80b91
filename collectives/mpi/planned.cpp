#include <utility>

#include <tombolo/collectives/mpi/call.hpp>
#include <tombolo/collectives/mpi/planned.hpp>
#include <tombolo/platform/mpi/check.hpp>

namespace tombolo {

namespace {

bool commutes(MPI_Op op) {
  int commutative = 0;
  check_mpi(MPI_Op_commutative(op, &commutative), "MPI_Op_commutative");
  return commutative != 0;
}

Request with_in_place(Request request, bool in_place) {
  request.in_place = in_place;
  return request;
}

}  // namespace

PlannedCollectives::PlannedCollectives(MPI_Comm communicator, std::shared_ptr<Planner> planner, const Scratch& scratch)
    : Collectives(communicator),
      kept_(std::move(planner), rank()),
      native_(Shared{Collectives::communicator()}),
      executor_(std::make_shared<Executor>(Collectives::communicator(), scratch.phantom())) {}

PlannedCollectives::~PlannedCollectives() {
  try {
    executor_->finish();
  } catch (const std::exception&) {  // NOLINT(bugprone-empty-catch): nobody is left to be told
  }
}

void PlannedCollectives::run(const Request& request, const void* input, void* output, MPI_Datatype type, MPI_Op op) {
  KeptPlans::Kept& kept = kept_.find(request);
  if (kept.carrier == Carrier::native) {
    call(native_, request, input, output, type, op);
    return;
  }
  Memory where = memory(input, output, type, op);
  executor_->run(*kept_.plan(request, kept), where);
}

Pending PlannedCollectives::start(const Request& request, const void* input, void* output, MPI_Datatype type,
                                  MPI_Op op) {
  return {executor_, plan(request), memory(input, output, type, op)};
}

Persistent PlannedCollectives::persistent(const Request& request, const void* input, void* output, MPI_Datatype type,
                                          MPI_Op op) {
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

void PlannedCollectives::barrier() {
  run(Request::barrier(ranks()), nullptr, nullptr, MPI_BYTE);
}

Pending PlannedCollectives::ibarrier() {
  return start(Request::barrier(ranks()), nullptr, nullptr, MPI_BYTE);
}

void PlannedCollectives::bcast(void* buffer, std::int64_t count, MPI_Datatype type, Rank root) {
  run(Request::bcast(ranks(), root, count, types_.of(type).size), nullptr, buffer, type);
}

Pending PlannedCollectives::ibcast(void* buffer, std::int64_t count, MPI_Datatype type, Rank root) {
  return start(Request::bcast(ranks(), root, count, types_.of(type).size), nullptr, buffer, type);
}

// Whether the root works in place is known to it alone, and changes its own steps only.
void PlannedCollectives::reduce(const void* input, void* output, std::int64_t count, MPI_Datatype type, MPI_Op op,
                                Rank root) {
  Request request = Request::reduce(ranks(), root, count, types_.of(type).size, commutes(op));
  run(with_in_place(std::move(request), input == MPI_IN_PLACE), input, output, type, op);
}

Pending PlannedCollectives::ireduce(const void* input, void* output, std::int64_t count, MPI_Datatype type, MPI_Op op,
                                    Rank root) {
  Request request = Request::reduce(ranks(), root, count, types_.of(type).size, commutes(op));
  return start(with_in_place(std::move(request), input == MPI_IN_PLACE), input, output, type, op);
}

void PlannedCollectives::allreduce(const void* input, void* output, std::int64_t count, MPI_Datatype type, MPI_Op op) {
  Request request = Request::allreduce(ranks(), count, types_.of(type).size, commutes(op));
  run(with_in_place(std::move(request), input == MPI_IN_PLACE), input, output, type, op);
}

Pending PlannedCollectives::iallreduce(const void* input, void* output, std::int64_t count, MPI_Datatype type,
                                       MPI_Op op) {
  Request request = Request::allreduce(ranks(), count, types_.of(type).size, commutes(op));
  return start(with_in_place(std::move(request), input == MPI_IN_PLACE), input, output, type, op);
}

void PlannedCollectives::scan(const void* input, void* output, std::int64_t count, MPI_Datatype type, MPI_Op op) {
  Request request = Request::scan(ranks(), count, types_.of(type).size, commutes(op));
  run(with_in_place(std::move(request), input == MPI_IN_PLACE), input, output, type, op);
}

void PlannedCollectives::exscan(const void* input, void* output, std::int64_t count, MPI_Datatype type, MPI_Op op) {
  Request request = Request::exscan(ranks(), count, types_.of(type).size, commutes(op));
  run(with_in_place(std::move(request), input == MPI_IN_PLACE), input, output, type, op);
}

void PlannedCollectives::scatterv(const void* input, const Blocks& blocks, void* output, MPI_Datatype type, Rank root,
                                  Knowledge knowledge) {
  Request request = Request::scatterv(root, blocks, types_.of(type).size);
  request.knowledge = knowledge;
  run(with_in_place(std::move(request), output == MPI_IN_PLACE), input, output, type);
}

void PlannedCollectives::gatherv(const void* input, const Blocks& blocks, void* output, MPI_Datatype type, Rank root,
                                 Knowledge knowledge) {
  Request request = Request::gatherv(root, blocks, types_.of(type).size);
  request.knowledge = knowledge;
  run(with_in_place(std::move(request), input == MPI_IN_PLACE), input, output, type);
}

void PlannedCollectives::allgatherv(const void* input, const Blocks& blocks, void* output, MPI_Datatype type) {
  Request request = Request::allgatherv(blocks, types_.of(type).size);
  run(with_in_place(std::move(request), input == MPI_IN_PLACE), input, output, type);
}

Pending PlannedCollectives::iallgatherv(const void* input, const Blocks& blocks, void* output, MPI_Datatype type) {
  Request request = Request::allgatherv(blocks, types_.of(type).size);
  return start(with_in_place(std::move(request), input == MPI_IN_PLACE), input, output, type);
}

void PlannedCollectives::reduce_scatter(const void* input, void* output, const Blocks& blocks, MPI_Datatype type,
                                        MPI_Op op) {
  Request request = Request::reduce_scatter(blocks, types_.of(type).size, commutes(op));
  run(with_in_place(std::move(request), input == MPI_IN_PLACE), input, output, type, op);
}

void PlannedCollectives::alltoallv(const void* input, const Blocks& sends, void* output, const Blocks& receives,
                                   MPI_Datatype type) {
  Request request = Request::alltoallv(ranks(), Exchange::of_rank(rank(), sends, receives), types_.of(type).size);
  request.knowledge = Knowledge::as_in_mpi;
  run(request, input, output, type);
}

void PlannedCollectives::alltoallv(const void* input, const Exchange& exchange, void* output, MPI_Datatype type) {
  run(Request::alltoallv(ranks(), exchange, types_.of(type).size), input, output, type);
}

}  // namespace tombolo
