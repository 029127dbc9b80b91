#include <algorithm>
#include <array>
#include <atomic>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <tombolo/collectives/choose/size_class.hpp>
#include <tombolo/collectives/mpi/datatype.hpp>
#include <tombolo/collectives/mpi/memory.hpp>
#include <tombolo/collectives/operations/contract.hpp>
#include <tombolo/collectives/plan/plan_json.hpp>
#include <tombolo/collectives/request/regular.hpp>
#include <tombolo/interpose/communicator.hpp>
#include <tombolo/interpose/devices.hpp>
#include <tombolo/interpose/library.hpp>
#include <tombolo/platform/json/node.hpp>
#include <tombolo/platform/mpi/check.hpp>
#include <tombolo/platform/mpi/machine.hpp>
#include <tombolo/platform/mpi/text_from.hpp>
#include <tombolo/platform/stable_hash.hpp>

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
std::vector<Rank> world_ranks(MPI_Comm communicator) {
  MPI_Group group = MPI_GROUP_NULL;
  MPI_Group world = MPI_GROUP_NULL;
  int size = 0;
  check_mpi(MPI_Comm_group(communicator, &group), "MPI_Comm_group");
  check_mpi(MPI_Comm_group(MPI_COMM_WORLD, &world), "MPI_Comm_group");
  check_mpi(MPI_Group_size(group, &size), "MPI_Group_size");
  std::vector<Rank> ranks(static_cast<std::size_t>(size));
  std::vector<Rank> members(ranks.size());
  for (std::size_t r = 0; r < ranks.size(); ++r) ranks[r] = static_cast<Rank>(r);
  check_mpi(MPI_Group_translate_ranks(group, size, ranks.data(), world, members.data()), "MPI_Group_translate_ranks");
  MPI_Group_free(&group);
  MPI_Group_free(&world);
  if (std::ranges::find(members, MPI_UNDEFINED) != members.end()) members.clear();
  return members;
}

bool is_empty(const Request& request) {
  if (request.element_bytes == 0 && request.operation != Operation::barrier) return true;
  switch (sizes(request.operation)) {
    case Sizes::none:
      return false;
    case Sizes::vector:
      return request.count == 0;
    case Sizes::blocks:
      return request.knowledge == Knowledge::everywhere && request.blocks.total() == 0;
    case Sizes::exchange:
      return request.knowledge == Knowledge::everywhere && request.exchange.is_equal() &&
             request.exchange.sends(0).total() == 0;
  }
  return false;
}

// What this rank sends or receives of a call whose counts not all ranks know.
Bytes own_bytes(const Request& request, Rank rank) {
  if (sizes(request.operation) == Sizes::exchange) {
    return std::max(request.exchange.sends(rank).total(), request.exchange.receives(rank).total());
  }
  return rank == request.root ? request.blocks.total() : request.blocks.count(rank);
}

constexpr std::size_t most_times = 32;
constexpr std::size_t first_calls = 2;  // are native where a plan is not known and not small beside the call
constexpr std::size_t turns_of_each = 4;
constexpr std::int64_t most_uneven = 256;
constexpr double clearly = 1.05;
// A plan is sought at the first call of a class if searching takes at most one part in so many of the call. That is
// asked for calls of so many bytes only: a bound takes longer than a small call.
constexpr Picoseconds small_part = 50;
constexpr Bytes large_call = Bytes{1} << 20;

std::vector<Picoseconds> times_of(std::span<const TimedCall> calls) {
  std::vector<Picoseconds> times;
  for (const TimedCall& call : calls) times.push_back(call.taken());
  std::ranges::sort(times);
  return times;
}

double least_of(std::span<const TimedCall> calls) {
  return seconds(times_of(calls).front());
}

// The mean of the two in the middle, if there are two: where every other call waits for something, they are one of
// each.
double median_of(std::span<const TimedCall> calls) {
  const std::vector<Picoseconds> times = times_of(calls);
  return seconds(times[(times.size() - 1) / 2] + times[times.size() / 2]) / 2;
}

// Half of the turns suffice if each call of one way took so many times as long as each of the other. They are compared
// where a call takes so many times as long as the comparison, by their bounds: it lets no rank run ahead.
constexpr double at_a_glance = 1.5;
constexpr Picoseconds times_of_comparison = 4;

// Whether each call of `slower` took much longer than each one of `faster`.
bool are_apart(std::span<const TimedCall> faster, std::span<const TimedCall> slower) {
  return seconds(times_of(slower).front()) > at_a_glance * seconds(times_of(faster).back());
}

// Choosing takes about this time on a processor of today (docs/decisions.md).
Picoseconds time_to_plan(int ranks) {
  constexpr Picoseconds ms = 1'000'000'000;
  return 20 * ms + ranks * ms / 5;
}

// How many calls go by before native and planned ones take turns again: so many that what the turns of the slower way
// cost more is 1 % of them. The longer, the more often the turns ended alike.
std::int64_t calls_until_turns(double native, double planned, std::int64_t confirmed_after) {
  constexpr double part = 0.01;
  constexpr std::int64_t least = 64;
  constexpr std::int64_t most = std::int64_t{1} << 40;
  constexpr std::int64_t rarer = 4;
  const double slower = std::max(native, planned) / std::max(std::min(native, planned), 1e-12) - 1;
  const double calls = std::min(static_cast<double>(turns_of_each) * slower / part, static_cast<double>(most));
  return std::max({least, static_cast<std::int64_t>(calls), std::min(rarer * confirmed_after, most)});
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
  if (inter == 0) {
    members_ = world_ranks(communicator);
  } else {
    check_mpi(MPI_Comm_remote_size(communicator, &other_ranks_), "MPI_Comm_remote_size");
  }
  if (members_.size() < 2) {
    reason_ = Reason::communicator;
  } else if (Library::get().one_host(members_)) {
    reason_ = Reason::one_host;
  } else if (!Library::get().plans()) {
    reason_ = Reason::no_platform;
  }
}

Communicator::~Communicator() {
  if (own_ == MPI_COMM_NULL) return;
  --own_alive;
  if (Library::get().active()) MPI_Comm_free(&own_);
}

// Of a rank of one thread. Blocking calls of all ranks together have one order with all other blocking calls, so
// between two of them any ranks have made the same calls on their communicators: they drop alike what had none for
// long. Else each new order of ranks would take memory for good.
class Communicator::SharedByRanks {
 public:
  std::shared_ptr<Shared> of(const std::vector<Rank>& members) {
    std::shared_ptr<Shared>& shared = kept_[members];
    if (!shared) {
      shared = std::make_shared<Shared>();
      shared->made = shared->used = calls_;
    }
    return shared;
  }
  /// Notes a blocking call on a communicator.
  void note_call(Shared& shared, bool of_all_ranks) {
    if (of_all_ranks && ++calls_ % while_unused == 0) {
      std::erase_if(kept_, [&](const auto& each) { return each.second->used < calls_ - while_unused; });
    }
    shared.used = calls_;
  }

 private:
  static constexpr std::int64_t while_unused = 4096;  // so many calls of all ranks
  std::int64_t calls_ = 0;                            // of all ranks
  std::map<std::vector<Rank>, std::shared_ptr<Shared>> kept_{};
};

Communicator::SharedByRanks& Communicator::shared_by_ranks() {
  static auto& all = *new SharedByRanks;  // as the library: never destroyed
  return all;
}

Communicator::Shared& Communicator::shared() {
  const bool alone = Library::get().several_threads();
  if (!shared_) shared_ = alone ? std::make_shared<Shared>() : shared_by_ranks().of(members_);
  if (!alone) shared_by_ranks().note_call(*shared_, static_cast<int>(members_.size()) == Library::get().ranks());
  return *shared_;
}

Communicator::Calls* Communicator::calls_of(const Request& request) {
  Shared& all = shared();
  const Request like = size_class(request.known_to_all());
  if (const auto known = by_class_.find(like); known != by_class_.end()) return &known->second;
  std::shared_ptr<Class> of;
  if (const auto one = all.classes.find(like); one != all.classes.end()) {
    of = one->second;
  } else {
    const bool uneven = sizes(like.operation) == Sizes::blocks && !like.blocks.all_equal();
    if (uneven && all.uneven == most_uneven) return nullptr;
    all.uneven += uneven ? 1 : 0;
    of = all.classes[like] = std::make_shared<Class>();
  }
  Calls& one = by_class_[like];
  one.of = std::move(of);
  return &one;
}

Planner& Communicator::planner() {
  if (!planner_) planner_ = Library::get().planner_for(members_);
  return *planner_;
}

// A rank of one thread makes its calls one after another, in an order in which they cannot wait for each other in
// vain: then all plans can have one communicator. The calls of threads have no order, so there each has its own.
bool Communicator::ready() {
  if (executor_) return true;
  const MPI_Comm world = Library::get().copy_of_world();
  if (!Library::get().several_threads()) {
    // All ranks of communicators with these ranks make their first planned calls on them in the same order. Not their
    // first calls: non-blocking ones have an order on each communicator only, and what is wrong may fail on one rank.
    StableHash number;
    number.add_bytes(std::as_bytes(std::span(members_)));
    number.add_number(shared_->made);
    number.add_number(shared_->communicators++);
    executor_ = std::make_unique<Executor>(Peers{.communicator = world, .ranks = members_}, number.value());
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

// By what all ranks know: numbers of calls and lower bounds, never a clock.
bool Communicator::worth_planning(Class& one, const Request& request) {
  const bool early = one.calls <= static_cast<std::int64_t>(first_calls);
  // Nothing is searched for among the two plans of an alltoallv.
  if (sizes(request.operation) == Sizes::exchange && request.knowledge == Knowledge::as_in_mpi) return !early;
  const std::lock_guard lock(Library::get().planning());
  if (!one.recalled) one.recalled = planner().recalls(request);
  // Others may be freed after a call: they are not worth a communicator for plans yet.
  const bool costs_one = user_ != MPI_COMM_WORLD && Library::get().several_threads();
  if (*one.recalled && (!costs_one || calls_ > static_cast<std::int64_t>(first_calls))) return true;
  if (early && regular_bytes(request) < large_call) return false;
  find_least(one, request);
  const Picoseconds searching = time_to_plan(static_cast<int>(members_.size()));
  return early ? one.least / small_part > searching : one.least > searching / one.calls;
}

void Communicator::find_least(Class& one, const Request& request) {
  if (one.least < 0) one.least = std::max<Picoseconds>(planner().bound(size_class(request.known_to_all())), 1);
}

// Whether a comparison of all ranks' times is short beside the call.
bool Communicator::takes_long(Class& one, const Request& request) {
  const std::lock_guard lock(Library::get().planning());
  find_least(one, request);
  return one.least / times_of_comparison > planner().bound(Request::allreduce(request.ranks, 1, 1));
}

Reason Communicator::decide(Calls& calls, const Request& request) {
  const Settings& settings = Library::get().settings();
  Class& one = *calls.of;
  ++one.calls;
  ++calls_;
  const bool all_know = request.knowledge == Knowledge::everywhere;
  if (!all_know) calls.bytes = own_bytes(request, rank_);
  calls.row.bytes = std::max(calls.row.bytes, all_know ? regular_bytes(request) : calls.bytes);
  calls.row.operation = request.operation;
  if (combines(request.operation) && settings.native_reductions) return Reason::native_asked_for;
  if (is_empty(request)) return Reason::empty;
  if (!one.planned && sizes(request.operation) == Sizes::exchange) {
    one.exchange.largest = std::max(one.exchange.largest, calls.bytes / request.ranks);
  }
  const auto turn = [](std::int64_t number) {
    return is_planned_turn(static_cast<std::size_t>(number)) ? Reason::none : Reason::native_asked_for;
  };
  if (settings.compare) return turn(one.calls - 1);
  if (!all_know && one.native) {
    if (sizes(request.operation) == Sizes::exchange) native_exchanges_ = &calls;
    return Reason::native_faster;
  }
  if (!one.planned && !worth_planning(one, request)) return Reason::first_calls;
  if (!one.planned && all_know) one.long_calls = takes_long(one, request);
  one.planned = true;
  if (!all_know) {
    if (!one.turns) one.turns = std::make_unique<Turns>();
    const bool planned = one.turns->verdict() == Turns::Verdict::planned || one.turns->planned_next();
    return planned ? Reason::none : Reason::first_calls;
  }
  const std::int64_t number = one.since++ - one.turns_from;
  if (number < 0) return one.native ? Reason::native_faster : Reason::none;
  if (number == 0) {
    one.native_calls.clear();
    one.planned_calls.clear();
  }
  return turn(number);
}

std::shared_ptr<const PreparedPlan> Communicator::plan_for(Class& one, const Request& request) {
  if (sizes(request.operation) == Sizes::exchange && request.knowledge == Knowledge::as_in_mpi) {
    return plan_of_exchange(one.exchange, request);
  }
  if (!one.found && !one.recalled.value_or(false) && request.knowledge == Knowledge::everywhere) {
    find_plan(size_class(request));
  }
  one.found = true;
  const std::lock_guard lock(Library::get().planning());
  return planner().prepared(request, rank_);
}

// One rank searches: others may have to share its cores, and the slowest would be waited for.
void Communicator::find_plan(const Request& like) {
  std::string plan;
  if (rank_ == 0) {
    const std::lock_guard lock(Library::get().planning());
    plan = planner().told(planner().plan(like));
  }
  plan = text_from(user_, 0, plan);
  if (rank_ == 0) return;
  const std::lock_guard lock(Library::get().planning());
  planner().take({like}, plan);
}

// Among the algorithms that need no counts of others, the best one for equal counts.
Plan Communicator::best_exchange(const Request& request, const Request& equal) {
  const std::lock_guard lock(Library::get().planning());
  std::optional<Candidate> best;
  for (const Algorithm* const algorithm : algorithms_for(request)) {
    if (algorithm->baseline) continue;
    for (const Candidate& each : planner().candidates_of(*algorithm, equal)) {
      if (!each.plan.parameters().detours.empty() || (best && best->predicted <= each.predicted)) continue;
      best = each;
    }
  }
  return best.value().plan;
}

// That of counts of the agreed size, which rank 0 finds.
std::shared_ptr<const PreparedPlan> Communicator::plan_of_exchange(Exchange& exchange, const Request& request) {
  if (exchange.algorithm == nullptr) {
    check_mpi(MPI_Allreduce(MPI_IN_PLACE, &exchange.largest, 1, MPI_INT64_T, MPI_MAX, user_), "MPI_Allreduce");
    const Request equal = size_class(Request::alltoallv(
        request.ranks, AlltoallCounts::equal(request.ranks, std::max<std::int64_t>(exchange.largest, 1)), 1));
    const std::string text = text_from(user_, 0, rank_ == 0 ? to_json(best_exchange(request, equal)) : std::string());
    const JsonDocument document = parse_json(text, "the plan of another rank", "report this");
    const Plan plan = plan_from_json(equal, JsonNode(document));
    exchange.algorithm = &plan.algorithm();
    exchange.parameters = plan.parameters();
  }
  if (!exchange.last || exchange.last->plan.request() != request) {
    exchange.last =
        std::make_shared<const PreparedPlan>(Plan(request, *exchange.algorithm, exchange.parameters), rank_);
  }
  return exchange.last;
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
  Class& one = *calls.of;
  const Picoseconds entered = machine::now();
  const std::shared_ptr<const PreparedPlan> plan = plan_for(one, request);
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
  const TimedCall timed{.bytes = calls.bytes, .entered = entered, .left = left};
  if (one.planned_calls.size() < most_times) one.planned_calls.push_back(timed);
  if (one.turns && one.turns->verdict() == Turns::Verdict::open) one.turns->note(timed);
  return MPI_SUCCESS;
} catch (const MpiError& error) {
  // Of a message: of a rank that has died, or one that is longer than its receiver allows.
  refuse([&] { return Natively::run([&] { return MPI_Comm_call_errhandler(user_, error.code()); }); });
  return error.code();
}

// Replaces the numbers of the same calls of all ranks by the largest ones. A rank that comes early waits in a call for
// those that compute still, which is no time of the call.
void Communicator::take_largest(std::span<TimedCall> calls) const {
  static_assert(sizeof(TimedCall) == 3 * sizeof(std::int64_t));
  for (TimedCall& call : calls) {
    call.entered -= Library::get().clock_ahead();
    call.left -= Library::get().clock_ahead();
  }
  check_mpi(MPI_Allreduce(MPI_IN_PLACE, calls.data(), static_cast<int>(3 * calls.size()), MPI_INT64_T, MPI_MAX, user_),
            "MPI_Allreduce");
}

// After half of the turns and after the last one, which all ranks have together.
void Communicator::compare(Class& one) {
  if (one.turns) compare_turns(one);
  const std::int64_t turns = one.since - one.turns_from;
  const bool half = one.long_calls && turns == static_cast<std::int64_t>(turns_of_each);
  const bool all_turns = turns == static_cast<std::int64_t>(2 * turns_of_each);
  if (one.turns || Library::get().settings().compare || !(half || all_turns)) return;
  const auto each = static_cast<std::size_t>(turns / 2);
  std::vector<TimedCall> all(2 * each);  // calls that failed take no time
  const std::span<TimedCall> native_calls = std::span(all).first(each);
  const std::span<TimedCall> planned_calls = std::span(all).last(each);
  std::copy_n(one.native_calls.begin(), std::min(each, one.native_calls.size()), native_calls.begin());
  std::copy_n(one.planned_calls.begin(), std::min(each, one.planned_calls.size()), planned_calls.begin());
  take_largest(all);
  if (half && !are_apart(native_calls, planned_calls) && !are_apart(planned_calls, native_calls)) return;
  one.compared_native = median_of(native_calls);
  one.compared_planned = median_of(planned_calls);
  const bool native = one.compared_planned > clearly * one.compared_native;
  one.turns_wait =
      calls_until_turns(one.compared_native, one.compared_planned, native == one.native ? one.turns_wait : 0);
  one.native = native;
  one.turns_from = one.since + one.turns_wait;
}

void Communicator::compare_turns(Class& one) {
  Turns& turns = *one.turns;
  if (turns.verdict() != Turns::Verdict::open || !turns.due()) return;
  take_largest(turns.round());
  turns.compare();
  one.compared_native = seconds(turns.native());
  one.compared_planned = seconds(turns.planned());
  one.native = turns.verdict() == Turns::Verdict::native;
}

void Communicator::note_native(Calls& calls, Reason reason, Picoseconds entered, Picoseconds left) {
  Class& one = *calls.of;
  ++calls.row.passed[static_cast<std::size_t>(reason)];
  calls.row.native_seconds += seconds(left - entered);
  const TimedCall timed{.bytes = calls.bytes, .entered = entered, .left = left};
  if (one.native_calls.size() < most_times) one.native_calls.push_back(timed);
  if (one.turns && one.turns->verdict() == Turns::Verdict::open) one.turns->note(timed);
}

CallRow Communicator::row_of(const Calls& calls) {
  const Class& one = *calls.of;
  CallRow row = calls.row;
  row.compared_native = one.compared_native;
  row.compared_planned = one.compared_planned;
  if (Library::get().settings().compare && !one.native_calls.empty() && !one.planned_calls.empty()) {
    row.compared_native = least_of(one.native_calls);
    row.compared_planned = least_of(one.planned_calls);
  }
  return row;
}

CommunicatorReport Communicator::report() const {
  char name[MPI_MAX_OBJECT_NAME] = "";
  int length = 0;
  if (Library::get().active()) MPI_Comm_get_name(user_, name, &length);
  CommunicatorReport report{.name = name, .ranks = size_, .other_ranks = other_ranks_, .rows = {}};
  for (const auto& [operation, one] : others_) report.rows.push_back(row_of(one));
  for (const auto& [request, one] : by_class_) report.rows.push_back(row_of(one));
  std::ranges::sort(report.rows, [](const CallRow& a, const CallRow& b) {
    return std::pair(a.operation, a.bytes) < std::pair(b.operation, b.bytes);
  });
  return report;
}

}  // namespace tombolo::interpose
