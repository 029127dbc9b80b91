#include <utility>

#include <fmt/format.h>

#include <tombolo/framework/mpi/program.hpp>
#include <tombolo/framework/program/requests.hpp>
#include <tombolo/platform/error.hpp>
#include <tombolo/platform/mpi/check.hpp>

namespace tombolo {

namespace {

std::vector<int> numbers(const std::vector<AnyArray>& arrays) {
  std::vector<int> all;
  for (const AnyArray& array : arrays) all.push_back(array.number);
  return all;
}

bool commutes(MPI_Op op) {
  int commutative = 0;
  check_mpi(MPI_Op_commutative(op, &commutative), "MPI_Op_commutative");
  return commutative != 0;
}

}  // namespace

Program::Program(Session& session, std::string name, ProgramOptions options)
    : session_(session), options_(std::move(options)) {
  body_.declared.name = std::move(name);
}

Program::~Program() {
  collectives_.reset();
  if (members_ != MPI_COMM_NULL) MPI_Comm_free(&members_);
}

Slices Program::slices(std::string name, std::int64_t items, SlicesOptions options) {
  body_.declared.slices.push_back({.name = std::move(name),
                                   .items = items,
                                   .weights = std::move(options.weights),
                                   .grain = options.grain,
                                   .given = std::move(options.given)});
  body_.adapts.push_back(options.adapts);
  return {static_cast<int>(body_.declared.slices.size()) - 1};
}

int Program::add_array(std::string name, MatrixShape shape, const Held& held, Bytes element, MPI_Datatype type) {
  DeclaredArray declared{.name = std::move(name), .shape = shape, .element = element};
  if (held.slices) declared.slices = held.slices->number;
  declared.root = held.root;
  declared.everywhere = held.all_hold_it;
  declared.halo = held.halo;
  declared.placed = held.placed;
  body_.declared.arrays.push_back(declared);
  if (type == MPI_DATATYPE_NULL) {
    throw Error(fmt::format("program {}: {} has elements of {} B that are no number", body_.declared.name,
                            declared.name, element),
                "make it an array of numbers, with more columns");
  }
  body_.arrays.push_back(std::make_shared<ArrayMemory>(declared, type));
  return static_cast<int>(body_.arrays.size()) - 1;
}

void Program::add_task(DeclaredTask task, ProgramBody::Work work) {
  task.loop = loop_;
  if (task.name.empty()) {
    task.name = fmt::format("{} {}", tombolo::name(task.kind),
                            body_.declared.arrays[static_cast<std::size_t>(task.array)].name);
  }
  body_.declared.tasks.push_back(std::move(task));
  body_.works.push_back(std::move(work));
}

void Program::scatterv(AnyArray array) {
  add_task({.kind = TaskKind::scatterv, .array = array.number});
}

void Program::gatherv(AnyArray array) {
  add_task({.kind = TaskKind::gatherv, .array = array.number});
}

void Program::bcast(AnyArray array) {
  add_task({.kind = TaskKind::bcast, .array = array.number});
}

void Program::allgatherv(AnyArray array) {
  add_task({.kind = TaskKind::allgatherv, .array = array.number});
}

void Program::allreduce(AnyArray array, MPI_Op op) {
  add_task({.kind = TaskKind::allreduce, .array = array.number, .commutative = commutes(op)}, {.op = op});
}

void Program::halo(AnyArray array) {
  add_task({.kind = TaskKind::halo, .array = array.number});
}

void Program::add_move(AnyArray from, AnyArray to, bool transposed, const MoveOptions& options) {
  const auto name = [&](AnyArray array) { return body_.declared.arrays[static_cast<std::size_t>(array.number)].name; };
  DeclaredTask task{.name = fmt::format("{} {} to {}", transposed ? "transpose" : "move", name(from), name(to)),
                    .kind = TaskKind::move,
                    .array = from.number,
                    .to = to.number,
                    .transposed = transposed,
                    .spends = options.spends_source};
  if (!options.spends_source) return add_task(std::move(task));
  DeclaredTask pack = task;
  pack.name = "pack " + name(from);
  pack.kind = TaskKind::pack;
  pack.kernel = options.kernel;
  DeclaredTask unpack = pack;
  unpack.name = "unpack " + name(to);
  unpack.kind = TaskKind::unpack;
  add_task(std::move(pack));
  add_task(std::move(task));
  add_task(std::move(unpack));
}

void Program::move(AnyArray from, AnyArray to, const MoveOptions& options) {
  add_move(from, to, false, options);
}

void Program::transpose(AnyArray from, AnyArray to, const MoveOptions& options) {
  add_move(from, to, true, options);
}

void Program::swap(AnyArray one, AnyArray other) {
  add_task({.kind = TaskKind::swap, .array = one.number, .to = other.number});
}

void Program::compute(const std::string& name, const ComputeOptions& options, std::function<void(const Slice&)> work) {
  add_task({.name = name,
            .kind = TaskKind::compute,
            .slices = options.over.number,
            .operations = options.operations,
            .kernel = options.kernel,
            .size = options.size,
            .reads = numbers(options.reads),
            .around = numbers(options.around),
            .writes = numbers(options.writes),
            .partial = numbers(options.partial)},
           {.on_slice = std::move(work)});
}

void Program::farm(const std::string& name, const ComputeOptions& options, AnyArray results,
                   std::function<void(const Slice&)> work) {
  add_task({.name = name,
            .kind = TaskKind::farm,
            .array = results.number,
            .slices = options.over.number,
            .operations = options.operations,
            .kernel = options.kernel,
            .size = options.size,
            .reads = numbers(options.reads)},
           {.on_slice = std::move(work)});
  // Room for two chunks: one is computed while the other is under way.
  const std::int64_t grain = body_.declared.slices[static_cast<std::size_t>(options.over.number)].grain;
  DeclaredArray& declared = body_.declared.arrays[static_cast<std::size_t>(results.number)];
  declared.least = 2 * std::max<std::int64_t>(grain, 1);
  *body_.arrays[static_cast<std::size_t>(results.number)] = ArrayMemory(declared, body_.array(results.number).type());
}

void Program::task(const std::string& name, const OwnOptions& options, std::function<void(Collectives&)> work) {
  add_task({.name = name,
            .kind = TaskKind::own,
            .operations = options.operations,
            .kernel = options.kernel,
            .bytes = options.bytes,
            .reads = numbers(options.reads),
            .writes = numbers(options.writes)},
           {.by_itself = std::move(work)});
}

void Program::repeat(const std::string& name, std::int64_t most, const std::function<void()>& body,
                     std::function<bool()> enough) {
  if (loop_ != DeclaredTask::none) {
    throw Error(fmt::format("program {}: loop {} in another loop", body_.declared.name, name),
                "make one loop of the two, or write the inner one as a task");
  }
  loop_ = static_cast<int>(body_.declared.loops.size());
  body_.declared.loops.push_back({name, static_cast<int>(body_.declared.tasks.size()), 0, most, enough != nullptr});
  body_.stops.push_back(std::move(enough));
  body();
  body_.declared.loops.back().end = static_cast<int>(body_.declared.tasks.size());
  loop_ = DeclaredTask::none;
}

Distribution Program::distribution(AnyArray array) const {
  return distribution_of(body_.declared, *arrangement_, array.number);
}

}  // namespace tombolo
