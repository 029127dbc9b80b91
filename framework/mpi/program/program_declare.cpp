// Declaration of a program: the methods of Program before plan().
#include <algorithm>
#include <atomic>
#include <exception>
#include <limits>
#include <optional>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <tombolo/framework/mpi/program/program_state.hpp>
#include <tombolo/framework/program/declare/tasks/task_rules.hpp>
#include <tombolo/platform/mpi/check.hpp>
#include <tombolo/units.hpp>

namespace tombolo {

namespace {

std::uint64_t next_serial() {
  static std::atomic<std::uint64_t> programs = 0;
  return ++programs;
}

// Throws std::logic_error if the program is planned: a plan covers the whole declaration.
void need_unplanned(const std::optional<Arrangement>& planned, const std::string& program) {
  if (!planned) return;
  throw std::logic_error(fmt::format(
      "program {} is planned already; declare all of it before plan(), prepare(), read() and run()", program));
}

// a * b; the largest number on overflow.
std::int64_t product(std::int64_t a, std::int64_t b) {
  constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
  return a > 0 && b > most / a ? most : a * b;
}

}  // namespace

Program::State::State(Session& session, std::string name, ProgramOptions options)
    : session_(session), serial_(next_serial()), options_(std::move(options)), exceptions_(std::uncaught_exceptions()) {
  body_.declared.name = std::move(name);
  if (options_.panels >= 0) return;
  throw Error(fmt::format("program {} in {} panels", this->name(), options_.panels),
              "give 1 or more, or 0 for a choice");
}

Program::State::~State() {
  forget_checkpoints();
  collectives_.reset();
  if (members_ != MPI_COMM_NULL) MPI_Comm_free(&members_);
  for (Reduction& reduction : body_.reductions) {
    if (reduction.user_function != nullptr) MPI_Op_free(&reduction.op);
  }
}

Domain Program::State::add_domain(std::string name, std::vector<std::int64_t> extents, DomainOptions options) {
  need_unplanned(arrangement_, this->name());
  extents.resize(Range::most_dimensions, 1);
  body_.declared.slices.push_back({.name = std::move(name),
                                   .items = extents[0],
                                   .weights = std::move(options.weights),
                                   .grain = options.grain,
                                   .given = std::move(options.given),
                                   .inner = {extents[1], extents[2]},
                                   .adapts = options.adapts});
  return {static_cast<int>(body_.declared.slices.size()) - 1, serial_};
}

AnyArray Program::State::add_array(std::string name, std::vector<std::int64_t> extents, const Distributed& distributed,
                                   const Type& type, Reduction reduction) {
  need_unplanned(arrangement_, this->name());
  DeclaredArray declared{.name = std::move(name), .shape = {1, 1}, .element = type.bytes};
  if (!extents.empty()) declared.shape.rows = extents.front();
  for (std::size_t d = 1; d < extents.size(); ++d) {
    declared.shape.columns = extents[d] < 0 ? extents[d] : product(declared.shape.columns, extents[d]);
  }
  declared.root = distributed.root;
  declared.everywhere = distributed.replicated;
  declared.halo = distributed.halo;
  declared.placed = distributed.placed;
  declared.reduction = reduction.name;
  declared.in_order = !reduction.commutative;
  if (reduction.function != nullptr) {
    // Functions have no names: each is numbered by the first array that uses it.
    const auto same = [&](const Reduction& other) { return other.function == reduction.function; };
    const auto first = std::find_if(body_.reductions.begin(), body_.reductions.end(), same);
    declared.reduction += fmt::format(" {}", first - body_.reductions.begin());
  }
  declared.type = type.name;
  if (distributed.domain) {
    declared.slices = number_of(*distributed.domain);
    const DeclaredDomain& over = body_.domain(declared.slices);
    std::vector<std::int64_t> leading = extents;
    leading.resize(std::max<std::size_t>(extents.size(), Range::most_dimensions), 1);
    const bool fits =
        (over.inner[0] == 1 || leading[1] == over.inner[0]) && (over.inner[1] == 1 || leading[2] == over.inner[1]);
    if (!fits || leading[0] != over.items) {
      throw Error(fmt::format("program {}: {} is {} and {} is {} x {} x {} items", body_.declared.name, declared.name,
                              fmt::join(extents, " x "), over.name, over.items, over.inner[0], over.inner[1]),
                  "an array over a domain has the domain's extents first");
    }
  }
  body_.declared.arrays.push_back(declared);
  const std::vector<std::int64_t> inner(extents.begin() + (extents.empty() ? 0 : 1), extents.end());
  body_.arrays.push_back(std::make_shared<ArrayMemory>(declared, type.mpi, inner));
  if (reduction.user_function != nullptr) {
    check_mpi(MPI_Op_create(reduction.user_function, reduction.commutative ? 1 : 0, &reduction.op), "MPI_Op_create");
  }
  body_.reductions.push_back(std::move(reduction));
  renewed_.push_back(0);
  return {static_cast<int>(body_.arrays.size()) - 1, serial_};
}

int Program::State::number_of(Domain domain) const {
  if (domain.program == serial_) return domain.number;
  throw Error(fmt::format("program {}: a domain that {}", body_.declared.name,
                          domain.program == 0 ? "none has made" : "another program has made"),
              "take what domain() of this program returned");
}

int Program::State::number_of(AnyArray array) const {
  if (array.program == serial_) return array.number;
  throw Error(fmt::format("program {}: an array that {}", body_.declared.name,
                          array.program == 0 ? "none has made" : "another program has made"),
              "take what array(), number() or partial() of this program returned");
}

std::vector<int> Program::State::accessed(const std::vector<DeclaredAccess>& accesses, AccessKind kind) const {
  std::vector<int> numbers;
  for (const DeclaredAccess& access : accesses) {
    if (access.kind == kind) numbers.push_back(number_of(access.array));
  }
  return numbers;
}

void Program::State::declare_accesses(DeclaredTask& task, const std::vector<DeclaredAccess>& accesses) const {
  task.reads = accessed(accesses, AccessKind::reads);
  task.around = accessed(accesses, AccessKind::around);
  task.wholes = accessed(accesses, AccessKind::whole);
  task.writes = accessed(accesses, AccessKind::writes);
  task.updates = accessed(accesses, AccessKind::updates);
  task.combines = accessed(accesses, AccessKind::combines);
}

void Program::State::add_task(DeclaredTask task, ProgramBody::Work work) {
  need_unplanned(arrangement_, name());
  task.loop = loop_;
  if (task.name.empty()) {
    task.name = fmt::format("{} {}", tombolo::name(task.kind),
                            body_.declared.arrays[static_cast<std::size_t>(task.array)].name);
  }
  body_.declared.tasks.push_back(std::move(task));
  body_.works.push_back(std::move(work));
}

void Program::State::communicate(TaskKind kind, AnyArray array) {
  add_task({.kind = kind, .array = number_of(array)});
}

void Program::State::allreduce(AnyArray partial) {
  const int number = number_of(partial);
  add_task({.kind = TaskKind::allreduce, .array = number, .commutative = body_.reduction(number).commutative});
}

void Program::State::add_move(AnyArray from, AnyArray to, bool transposed, const MoveOptions& options) {
  const auto name = [&](AnyArray array) { return body_.array(number_of(array)).declared().name; };
  DeclaredTask task{.name = fmt::format("{} {} to {}", transposed ? "transpose" : "move", name(from), name(to)),
                    .kind = TaskKind::move,
                    .array = number_of(from),
                    .to = number_of(to),
                    .transposed = transposed,
                    .partly = options.updates,
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

void Program::State::swap(AnyArray one, AnyArray other) {
  add_task({.kind = TaskKind::swap, .array = number_of(one), .to = number_of(other)});
}

void Program::State::add_work(TaskKind kind, const std::string& name, Domain over, const Cost& cost,
                              BoundBody<const Range&> body) {
  const int domain = number_of(over);
  DeclaredTask task{.name = name,
                    .kind = kind,
                    .slices = domain,
                    .operations = cost.operations * static_cast<double>(body_.domain(domain).points()),
                    .kernel = cost.kernel,
                    .size = product(cost.size, body_.domain(domain).points()),
                    .parts = cost.parts};
  declare_accesses(task, body.accesses);
  if (kind == TaskKind::farm && !task.writes.empty()) {
    task.array = task.writes.front();
    // Room for two chunks: one is computed while the other is in transit.
    const std::int64_t rows = 2 * std::max<std::int64_t>(body_.domain(domain).grain, 1);
    body_.declared.arrays[static_cast<std::size_t>(task.array)].least = rows;
    body_.array(task.array).have_room_for(rows);
  }
  add_task(std::move(task), {.on_range = std::move(body)});
}

void Program::State::add_custom(const std::string& name, const Cost& cost, BoundBody<Collectives&> body) {
  DeclaredTask task{.name = name,
                    .kind = TaskKind::custom,
                    .operations = cost.kernel.empty() ? std::max(cost.operations, 0.0) : cost.operations,
                    .kernel = cost.kernel,
                    .bytes = cost.bytes};
  declare_accesses(task, body.accesses);
  add_task(std::move(task), {.by_itself = std::move(body)});
}

void Program::State::repeat(const std::string& name, std::int64_t most, const std::function<void()>& body,
                            LoopRule rule) {
  need_unplanned(arrangement_, this->name());
  if (loop_ != DeclaredTask::none) {
    throw Error(fmt::format("program {}: loop {} in another loop", body_.declared.name, name),
                "make one loop of the two, or write the inner one as a task");
  }
  if (most < 0) {
    throw Error(fmt::format("program {}: loop {} of at most {} passes", body_.declared.name, name, most),
                "state 0 or more");
  }
  DeclaredLoop declared{.name = name, .first = static_cast<int>(body_.declared.tasks.size()), .most = most};
  declared.stops = rule.enough != nullptr;
  for (const AnyArray& array : rule.watches) declared.watches.push_back(number_of(array));
  loop_ = static_cast<int>(body_.declared.loops.size());
  body_.declared.loops.push_back(std::move(declared));
  body_.rules.push_back(std::move(rule));
  body();
  body_.declared.loops.back().end = static_cast<int>(body_.declared.tasks.size());
  loop_ = DeclaredTask::none;
}

const Arrangement& Program::State::arrangement() const {
  if (!arrangement_) throw std::logic_error(fmt::format("program {} is not planned yet; plan() before", name()));
  return *arrangement_;
}

Range Program::State::mine(Domain domain) const {
  const int number = number_of(domain);
  const Arrangement& planned = arrangement();
  return range_of(body_.domain(number), takes_part() ? planned.division(number).slice(0, member_) : Slice{});
}

}  // namespace tombolo
