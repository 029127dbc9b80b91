#include <fmt/format.h>

#include <tombolo/collectives.hpp>
#include <tombolo/collectives/mpi/datatype.hpp>
#include <tombolo/collectives/request/request.hpp>
#include <tombolo/platform/mpi/check.hpp>
#include <tombolo/platform/readable.hpp>
#include <tombolo/units.hpp>

namespace tombolo {

bool commutes(MPI_Op op) {
  int commutative = 0;
  check_mpi(MPI_Op_commutative(op, &commutative), "MPI_Op_commutative");
  return commutative != 0;
}

Collectives::Collectives(MPI_Comm communicator) : types_(std::make_unique<TypeLayouts>()) {
  check_mpi(MPI_Comm_dup(communicator, &communicator_), "MPI_Comm_dup");
  check_mpi(MPI_Comm_set_errhandler(communicator_, MPI_ERRORS_RETURN), "MPI_Comm_set_errhandler");
  look_around();
}

Collectives::Collectives(Shared shared)
    : communicator_(shared.communicator), own_(false), types_(std::make_unique<TypeLayouts>()) {
  look_around();
}

Collectives::~Collectives() {
  if (own_) MPI_Comm_free(&communicator_);
}

const TypeLayout& Collectives::look_up(MPI_Datatype type) {
  const TypeLayout& found = types_->of(type);
  last_layout_ = types_->keeps(found) ? &found : nullptr;
  last_type_ = type;
  return found;
}

void Collectives::look_around() {
  check_mpi(MPI_Comm_rank(communicator_, &rank_), "MPI_Comm_rank");
  check_mpi(MPI_Comm_size(communicator_, &ranks_), "MPI_Comm_size");
}

void Collectives::check_blocks(Operation operation, const Blocks& blocks) const {
  if (blocks.size() == ranks()) return;
  throw Error(fmt::format("{} of {} on {}", tombolo::name(operation), counted(blocks.size(), "block"),
                          counted(ranks(), "rank")),
              "give one block per rank, of no elements where a rank has none");
}

void Collectives::check_blocks(Operation operation, const AlltoallCounts& exchange) const {
  // The block check must precede a rank's own counts.
  if (const auto factors = exchange.factors()) check_blocks(operation, factors->first);
  if (!exchange.knows(rank())) return;
  check_blocks(operation, exchange.sends(rank()));
  check_blocks(operation, exchange.receives(rank()));
}

void Collectives::check(const Request& request) const {
  if (sizes(request.operation) == Sizes::blocks) check_blocks(request.operation, request.blocks);
  if (sizes(request.operation) == Sizes::exchange) check_blocks(request.operation, request.exchange);
  if (request.ranks == ranks()) return;
  throw Error(fmt::format("{} for {} ranks on {}", tombolo::name(request.operation), request.ranks, ranks()),
              "make the request for the ranks of the communicator");
}

void Collectives::check_bcast_buffer(const void* buffer) {
  if (buffer == MPI_IN_PLACE) {
    throw Error("bcast with MPI_IN_PLACE in place of its only buffer", "give the buffer on every rank");
  }
}

void Collectives::barrier() {
  run(Request::barrier(ranks()), nullptr, nullptr, MPI_BYTE);
}

void Collectives::bcast(void* buffer, std::int64_t count, MPI_Datatype type, Rank root) {
  check_bcast_buffer(buffer);
  run(Request::bcast(ranks(), root, count, layout(type).size), nullptr, buffer, type);
}

// Only the root knows whether it works in place, which affects only its own steps.
void Collectives::reduce(const void* input, void* output, std::int64_t count, MPI_Datatype type, MPI_Op op, Rank root) {
  const Request request = Request::reduce(ranks(), root, count, layout(type).size, commutes(op));
  run(request.with_in_place(input == MPI_IN_PLACE), input, output, type, op);
}

void Collectives::allreduce(const void* input, void* output, std::int64_t count, MPI_Datatype type, MPI_Op op) {
  const Request request = Request::allreduce(ranks(), count, layout(type).size, commutes(op));
  run(request.with_in_place(input == MPI_IN_PLACE), input, output, type, op);
}

void Collectives::scan(const void* input, void* output, std::int64_t count, MPI_Datatype type, MPI_Op op) {
  const Request request = Request::scan(ranks(), count, layout(type).size, commutes(op));
  run(request.with_in_place(input == MPI_IN_PLACE), input, output, type, op);
}

void Collectives::exscan(const void* input, void* output, std::int64_t count, MPI_Datatype type, MPI_Op op) {
  const Request request = Request::exscan(ranks(), count, layout(type).size, commutes(op));
  run(request.with_in_place(input == MPI_IN_PLACE), input, output, type, op);
}

void Collectives::scatterv(const void* input, const Blocks& blocks, void* output, MPI_Datatype type, Rank root,
                           Knowledge knowledge) {
  check_blocks(Operation::scatterv, blocks);
  const Request request = Request::scatterv(root, blocks, layout(type).size).knowing(knowledge);
  run(request.with_in_place(output == MPI_IN_PLACE), input, output, type);
}

void Collectives::gatherv(const void* input, const Blocks& blocks, void* output, MPI_Datatype type, Rank root,
                          Knowledge knowledge) {
  check_blocks(Operation::gatherv, blocks);
  const Request request = Request::gatherv(root, blocks, layout(type).size).knowing(knowledge);
  run(request.with_in_place(input == MPI_IN_PLACE), input, output, type);
}

void Collectives::allgatherv(const void* input, const Blocks& blocks, void* output, MPI_Datatype type) {
  check_blocks(Operation::allgatherv, blocks);
  const Request request = Request::allgatherv(blocks, layout(type).size);
  run(request.with_in_place(input == MPI_IN_PLACE), input, output, type);
}

void Collectives::reduce_scatter(const void* input, void* output, const Blocks& blocks, MPI_Datatype type, MPI_Op op) {
  check_blocks(Operation::reduce_scatter, blocks);
  const Request request = Request::reduce_scatter(blocks, layout(type).size, commutes(op));
  run(request.with_in_place(input == MPI_IN_PLACE), input, output, type, op);
}

void Collectives::alltoallv(const void* input, const Blocks& sends, void* output, const Blocks& receives,
                            MPI_Datatype type) {
  const AlltoallCounts own = AlltoallCounts::of_rank(rank(), sends, receives);
  run(Request::alltoallv(ranks(), own, layout(type).size).knowing(Knowledge::as_in_mpi), input, output, type);
}

void Collectives::alltoallv(const void* input, const AlltoallCounts& exchange, void* output, MPI_Datatype type) {
  check_blocks(Operation::alltoallv, exchange);  // before any use of the counts
  run(Request::alltoallv(ranks(), exchange, layout(type).size), input, output, type);
}

}  // namespace tombolo
