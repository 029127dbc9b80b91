#include <utility>
#include <vector>

#include <tombolo/collectives/choose.hpp>
#include <tombolo/collectives/mpi/execute.hpp>
#include <tombolo/collectives/mpi/planned.hpp>
#include <tombolo/platform/mpi/check.hpp>

namespace tombolo {

namespace {

constexpr std::size_t most_kept = 1024;

bool commutes(MPI_Op op) {
  int commutative = 0;
  check_mpi(MPI_Op_commutative(op, &commutative), "MPI_Op_commutative");
  return commutative != 0;
}

}  // namespace

PlannedCollectives::PlannedCollectives(MPI_Comm communicator, Hockney model, Scratch scratch)
    : Collectives(communicator),
      model_(std::move(model)),
      scratch_(std::move(scratch)),
      kept_(0, Hash{.rank = rank()}) {}

std::size_t PlannedCollectives::Hash::operator()(const Request& request) const {
  std::size_t hash = 0;
  const auto mix = [&hash](std::int64_t value) {
    hash ^= std::hash<std::int64_t>()(value) + 0x9e3779b97f4a7c15U + (hash << 6) + (hash >> 2);
  };
  mix(static_cast<std::int64_t>(request.operation));
  mix(request.root);
  mix(request.count);
  mix(request.element_bytes);
  mix(request.in_place);
  // A few counts tell most requests apart; hashing all would cost more than it saves.
  const auto mix_some = [&mix](const Blocks& blocks) {
    mix(blocks.size());
    for (const int block : {0, blocks.size() / 2, blocks.size() - 1}) {
      if (block >= 0 && block < blocks.size() && blocks.known(block)) mix(blocks.count(block));
    }
  };
  mix_some(request.blocks);
  if (sizes(request.operation) == Sizes::exchange) {
    mix_some(request.exchange.sends(rank));
    mix_some(request.exchange.receives(rank));
  }
  return hash;
}

const PlannedCollectives::Prepared& PlannedCollectives::prepare(const Request& request) {
  const auto found = kept_.find(request);
  if (found != kept_.end()) return found->second;
  if (kept_.size() == most_kept) kept_.clear();  // a program that never repeats itself must not fill the memory
  Plan plan = choose(request, model_);
  Schedule schedule = plan.learns() ? Schedule() : plan.schedule(rank());
  return kept_.emplace(request, Prepared{std::move(plan), std::move(schedule)}).first->second;
}

Request PlannedCollectives::learn(const Plan& plan) {
  const Blocks& blocks = plan.request().blocks;
  std::vector<std::int64_t> counts(static_cast<std::size_t>(blocks.size()), Blocks::unknown);
  for (int block = 0; block < blocks.size(); ++block) {
    if (blocks.known(block)) counts[static_cast<std::size_t>(block)] = blocks.count(block);
  }
  Memory memory{std::span<std::int64_t>(counts)};
  execute(plan.learning(rank()), memory, scratch_, communicator());
  Request known = plan.request();
  known.blocks = Blocks(std::move(counts));
  return known;
}

void PlannedCollectives::run(const Prepared& prepared, const void* input, void* output, MPI_Datatype type, MPI_Op op) {
  Memory memory(input, output, type, op);
  if (prepared.plan.learns()) {
    execute(prepared.plan.schedule(rank(), learn(prepared.plan)), memory, scratch_, communicator());
  } else {
    execute(prepared.schedule, memory, scratch_, communicator());
  }
}

void PlannedCollectives::run(const Plan& plan, const void* input, void* output, MPI_Datatype type, MPI_Op op) {
  run(Prepared{plan, plan.learns() ? Schedule() : plan.schedule(rank())}, input, output, type, op);
}

void PlannedCollectives::barrier() {
  run(prepare(Request::barrier(ranks())), nullptr, nullptr, MPI_BYTE, MPI_OP_NULL);
}

void PlannedCollectives::bcast(void* buffer, std::int64_t count, MPI_Datatype type, Rank root) {
  run(prepare(Request::bcast(ranks(), root, count, size_of(type))), nullptr, buffer, type, MPI_OP_NULL);
}

void PlannedCollectives::reduce(const void* input, void* output, std::int64_t count, MPI_Datatype type, MPI_Op op,
                                Rank root) {
  // Whether the root works in place is known to it alone, and changes its own steps only.
  const Request request = Request::reduce(ranks(), root, count, size_of(type), commutes(op));
  run(prepare(request.with_in_place(input == MPI_IN_PLACE)), input, output, type, op);
}

void PlannedCollectives::scatterv(const void* input, const Blocks& blocks, void* output, MPI_Datatype type, Rank root,
                                  Knowledge knowledge) {
  const Request request = Request::scatterv(root, blocks, size_of(type)).knowing(knowledge);
  run(prepare(request.with_in_place(output == MPI_IN_PLACE)), input, output, type, MPI_OP_NULL);
}

void PlannedCollectives::gatherv(const void* input, const Blocks& blocks, void* output, MPI_Datatype type, Rank root,
                                 Knowledge knowledge) {
  const Request request = Request::gatherv(root, blocks, size_of(type)).knowing(knowledge);
  run(prepare(request.with_in_place(input == MPI_IN_PLACE)), input, output, type, MPI_OP_NULL);
}

void PlannedCollectives::alltoallv(const void* input, const Blocks& sends, void* output, const Blocks& receives,
                                   MPI_Datatype type) {
  const Request request = Request::alltoallv(ranks(), Exchange::of_rank(rank(), sends, receives), size_of(type));
  run(prepare(request.knowing(Knowledge::as_in_mpi)), input, output, type, MPI_OP_NULL);
}

void PlannedCollectives::alltoallv(const void* input, const Exchange& exchange, void* output, MPI_Datatype type) {
  run(prepare(Request::alltoallv(ranks(), exchange, size_of(type))), input, output, type, MPI_OP_NULL);
}

}  // namespace tombolo
