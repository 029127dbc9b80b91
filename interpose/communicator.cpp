#include <algorithm>
#include <array>
#include <atomic>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include <tombolo/collectives/choose/size_class.hpp>
#include <tombolo/collectives/mpi/datatype.hpp>
#include <tombolo/collectives/mpi/memory.hpp>
#include <tombolo/collectives/operations/contract.hpp>
#include <tombolo/collectives/request/regular.hpp>
#include <tombolo/interpose/communicator.hpp>
#include <tombolo/interpose/devices.hpp>
#include <tombolo/interpose/library.hpp>
#include <tombolo/platform/mpi/check.hpp>

namespace tombolo::interpose {

namespace {

// Deletions of attributes make handles void, of which each thread remembers the last.
std::atomic<std::uint64_t> deletions = 0;

// Communicators for the messages of plans, where threads need them. MPICH has 2,048 in all.
std::atomic<int> own_alive = 0;
constexpr int most_alive = 128;

// MPI calls it when the user frees the communicator.
int forget(MPI_Comm, int, void* state, void*) {
  ++deletions;
  const std::unique_ptr<Communicator> gone(static_cast<Communicator*>(state));
  Library::get().take(*gone);
  return MPI_SUCCESS;
}

// Of this library alone; a duplicate of a communicator gets none, as no function copies it.
int keyval() {
  static const int key = [] {
    int made = MPI_KEYVAL_INVALID;
    check_mpi(MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, forget, &made, nullptr), "MPI_Comm_create_keyval");
    return made;
  }();
  return key;
}

// World ranks; empty if there are strangers.
std::vector<Rank> world_ranks(MPI_Comm communicator, int size) {
  MPI_Group group = MPI_GROUP_NULL;
  MPI_Group world = MPI_GROUP_NULL;
  check_mpi(MPI_Comm_group(communicator, &group), "MPI_Comm_group");
  check_mpi(MPI_Comm_group(MPI_COMM_WORLD, &world), "MPI_Comm_group");
  std::vector<Rank> ranks(static_cast<std::size_t>(size));
  std::vector<Rank> members(ranks.size());
  std::iota(ranks.begin(), ranks.end(), 0);
  check_mpi(MPI_Group_translate_ranks(group, size, ranks.data(), world, members.data()), "MPI_Group_translate_ranks");
  MPI_Group_free(&group);
  MPI_Group_free(&world);
  if (std::ranges::find(members, MPI_UNDEFINED) != members.end()) members.clear();
  return members;
}

// What this rank sends or receives of a call whose counts not all ranks know.
Bytes own_bytes(const Request& request, Rank rank) {
  if (sizes(request.operation) == Sizes::exchange) {
    return std::max(request.exchange.sends(rank).total(), request.exchange.receives(rank).total());
  }
  return rank == request.root ? request.blocks.total() : request.blocks.count(rank);
}

}  // namespace

Communicator* Communicator::of(MPI_Comm communicator) {
  struct Last {
    MPI_Comm communicator = MPI_COMM_NULL;
    std::uint64_t deletions = 0;
    Communicator* state = nullptr;
  };
  static thread_local Last last;
  const std::uint64_t now = deletions;
  if (last.communicator == communicator && last.deletions == now && last.state != nullptr) return last.state;
  if (!is_communicator(communicator)) return nullptr;
  void* kept = nullptr;
  int found = 0;
  if (MPI_Comm_get_attr(communicator, keyval(), static_cast<void*>(&kept), &found) != MPI_SUCCESS) return nullptr;
  if (found == 0) {
    std::unique_ptr<Communicator> made(new Communicator(communicator));
    check_mpi(MPI_Comm_set_attr(communicator, keyval(), made.get()), "MPI_Comm_set_attr");
    kept = made.release();
    Library::get().know(static_cast<Communicator*>(kept));
  }
  last = {communicator, now, static_cast<Communicator*>(kept)};
  return last.state;
}

Communicator::Communicator(MPI_Comm communicator) : user_(communicator) {
  int inter = 0;
  check_mpi(MPI_Comm_test_inter(communicator, &inter), "MPI_Comm_test_inter");
  check_mpi(MPI_Comm_rank(communicator, &rank_), "MPI_Comm_rank");
  check_mpi(MPI_Comm_size(communicator, &size_), "MPI_Comm_size");
  if (inter != 0) check_mpi(MPI_Comm_remote_size(communicator, &other_ranks_), "MPI_Comm_remote_size");
  std::vector<Rank> members = inter == 0 ? world_ranks(communicator, size_) : std::vector<Rank>();
  if (members.size() < 2) {
    reason_ = Reason::communicator;
  } else if (Library::get().one_host(members)) {
    reason_ = Reason::one_host;
  } else if (!Library::get().plans()) {
    reason_ = Reason::no_platform;
  } else {
    decisions_ = std::make_unique<Decisions>(user_, rank_, std::move(members));
  }
}

Communicator::~Communicator() {
  if (own_ == MPI_COMM_NULL) return;
  --own_alive;
  if (Library::get().active()) MPI_Comm_free(&own_);
}

// Null where Decisions have no class for the request.
Communicator::Calls* Communicator::calls_of(const Request& request) {
  decisions_->note_call();
  const Request like = size_class(request.known_to_all());
  if (const auto known = by_class_.find(like); known != by_class_.end()) return &known->second;
  std::shared_ptr<RequestClass> decided = decisions_->class_of(like);
  if (!decided) return nullptr;
  Calls& calls = by_class_[like];
  calls.decided = std::move(decided);
  calls.row.operation = request.operation;
  return &calls;
}

Reason Communicator::decide(Calls& calls, const Request& request) {
  const bool all_know = request.knowledge == Knowledge::everywhere;
  if (!all_know) calls.bytes = own_bytes(request, rank_);
  calls.row.bytes = std::max(calls.row.bytes, all_know ? regular_bytes(request) : calls.bytes);
  const Reason reason = decisions_->decide(*calls.decided, request, calls.bytes);
  if (reason == Reason::none && !ready()) return reason_;
  const bool pairs = !all_know && sizes(request.operation) == Sizes::exchange;
  if (pairs && reason == Reason::native_faster) native_exchanges_ = &calls;
  return reason;
}

// A rank of one thread makes its calls one after another, in an order in which they cannot wait for each other in
// vain: then all plans can have one communicator. The calls of threads have no order, so there each has its own.
bool Communicator::ready() {
  if (executor_) return true;
  const MPI_Comm world = Library::get().copy_of_world();
  if (!Library::get().several_threads()) {
    executor_ = std::make_unique<Executor>(Peers{.communicator = world, .ranks = decisions_->world_ranks()},
                                           decisions_->number_for_tags());
  } else if (user_ == MPI_COMM_WORLD) {
    executor_ = std::make_unique<Executor>(world);
  } else if (make_own()) {
    executor_ = std::make_unique<Executor>(own_);
  } else {
    reason_ = Reason::communicator;
  }
  return executor_ != nullptr;
}

// Unless the ranks have many of these already, or MPI has no more: the program needs them itself. The same outcome on
// all ranks.
bool Communicator::make_own() {
  const int tag = rank_ == 0 ? Library::get().next_tag() : 0;
  std::array<int, 2> words{own_alive < most_alive ? 0 : 1, tag};
  check_mpi(MPI_Allreduce(MPI_IN_PLACE, words.data(), words.size(), MPI_INT, MPI_MAX, user_), "MPI_Allreduce");
  const auto [full, agreed_tag] = words;
  if (full == 0) own_ = Library::get().copy_of(user_, agreed_tag);
  if (own_ == MPI_COMM_NULL) return false;
  ++own_alive;
  return true;
}

void Communicator::run_reduction(const PreparedPlan& plan, const Request& request, const CallBuffers& buffers) {
  const auto run = [&](const void* input, void* output) {
    Memory where(input, output, type_layout(buffers.type), buffers.op);
    executor_->run(plan, where);
  };
  if (!is_on_device(buffers.raw_input) && !is_on_device(buffers.raw_output)) {
    return run(buffers.raw_input, buffers.raw_output);
  }
  const Contract sizes = contract(request, rank_);
  const HostElements input({const_cast<void*>(buffers.raw_input), sizes.input_size, buffers.type});
  const HostElements output({buffers.raw_output, sizes.output_size, buffers.type});
  run(input.address(), output.address());
  output.write_back();
}

int Communicator::run(Calls& calls, const Request& request, const CallBuffers& buffers) try {
  const Picoseconds entered = machine::now();
  const std::shared_ptr<const PreparedPlan> plan = decisions_->plan_for(*calls.decided, request);
  if (buffers.plain) {
    buffers.input.pack();
    if (buffers.fill_output) buffers.output.pack();
    Memory where(buffers.input.data(), buffers.output.data(), type_layout(MPI_BYTE));
    executor_->run(*plan, where);
    if (buffers.drain_output) buffers.output.unpack();
  } else {
    run_reduction(*plan, request, buffers);
  }
  const Picoseconds left = machine::now();
  CallTimes* const times = user_ == MPI_COMM_WORLD ? Library::get().call_times() : nullptr;
  if (times != nullptr) times->add(*plan, entered, left);
  ++calls.row.planned;
  calls.row.planned_seconds += seconds(left - entered);
  if (calls.row.how.empty()) calls.row.how = plan->plan.how();
  calls.note(entered, left);
  return MPI_SUCCESS;
} catch (const MpiError& error) {
  // Of a message: of a rank that has died, or one that is longer than its receiver allows.
  refuse([&] { return Natively::run([&] { return MPI_Comm_call_errhandler(user_, error.code()); }); });
  return error.code();
}

void Communicator::Calls::note(Picoseconds entered, Picoseconds left) const {
  if (decided && decided->comparison) decided->comparison->note({.bytes = bytes, .entered = entered, .left = left});
}

CommunicatorReport Communicator::report() const {
  char name[MPI_MAX_OBJECT_NAME] = "";
  int length = 0;
  if (Library::get().active()) MPI_Comm_get_name(user_, name, &length);
  CommunicatorReport report{.name = name, .ranks = size_, .other_ranks = other_ranks_, .rows = {}};
  for (const auto& [operation, calls] : others_) report.rows.push_back(calls.row);
  for (const auto& [request, calls] : by_class_) {
    CallRow& row = report.rows.emplace_back(calls.row);
    const std::optional<Comparison>& comparison = calls.decided->comparison;
    if (!comparison || std::min(comparison->native_seconds(), comparison->planned_seconds()) == 0) continue;
    row.compared_native = comparison->native_seconds();
    row.compared_planned = comparison->planned_seconds();
  }
  std::ranges::sort(report.rows, [](const CallRow& a, const CallRow& b) {
    return std::pair(a.operation, a.bytes) < std::pair(b.operation, b.bytes);
  });
  return report;
}

}  // namespace tombolo::interpose
