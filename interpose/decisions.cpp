#include <algorithm>
#include <map>
#include <span>
#include <string>
#include <utility>

#include <tombolo/collectives/choose/size_class.hpp>
#include <tombolo/collectives/plan/plan_json.hpp>
#include <tombolo/collectives/request/regular.hpp>
#include <tombolo/interpose/decisions.hpp>
#include <tombolo/interpose/library.hpp>
#include <tombolo/platform/json/node.hpp>
#include <tombolo/platform/mpi/check.hpp>
#include <tombolo/platform/mpi/text_from.hpp>
#include <tombolo/platform/stable_hash.hpp>

namespace tombolo::interpose {

// What communicators with the same ranks share unless there are threads; else what one has.
struct SharedDecisions {
  std::unordered_map<Request, std::shared_ptr<RequestClass>, RequestHash, SameRequest> classes{};
  std::int64_t uneven = 0;         // classes of blocks that are not equal, each of one call or few
  std::int64_t communicators = 0;  // that plans were made for
  std::int64_t made = 0;           // calls of all ranks before it, SharedByRanks
  std::int64_t used = 0;           // the same before the last call
};

namespace {

constexpr std::int64_t first_calls = 2;  // are native where a plan is not known and not small beside the call
constexpr std::int64_t most_uneven = 256;
// A plan is sought at the first call of a class if searching takes at most one part in so many of the call. That is
// asked for calls of so many bytes only: a bound takes longer than a small call.
constexpr Picoseconds small_part = 50;
constexpr Bytes large_call = Bytes{1} << 20;
// Half a round of turns may do where a call takes so many times as long as a comparison, by their bounds: it lets no
// rank run ahead.
constexpr Picoseconds times_of_comparison = 4;

// Choosing takes about this time on a processor of today (docs/decisions.md).
Picoseconds time_to_plan(std::size_t ranks) {
  constexpr Picoseconds ms = 1'000'000'000;
  return 20 * ms + static_cast<Picoseconds>(ranks) * ms / 5;
}

bool all_know(const Request& request) {
  return request.knowledge == Knowledge::everywhere;
}

// An alltoallv of whose counts each rank knows its own only.
bool has_unknown_pairs(const Request& request) {
  return sizes(request.operation) == Sizes::exchange && !all_know(request);
}

bool is_empty(const Request& request) {
  const Sizes counts = sizes(request.operation);
  if (counts == Sizes::none || !all_know(request)) return false;
  // Not all blocks need have an element each.
  if (counts == Sizes::blocks && request.element_bytes > 0) return request.blocks.total() == 0;
  return regular_bytes(request) == 0;
}

// Of a rank of one thread. Blocking calls of all ranks together have one order with all other blocking calls, so
// between two of them any ranks have made the same calls on their communicators: they drop alike what had none for
// long. Else each new order of ranks would take memory for good.
class SharedByRanks {
 public:
  // As the library: never destroyed.
  static SharedByRanks& get() {
    static auto& all = *new SharedByRanks;
    return all;
  }
  std::shared_ptr<SharedDecisions> of(const std::vector<Rank>& world_ranks) {
    std::shared_ptr<SharedDecisions>& shared = kept_[world_ranks];
    if (!shared) {
      shared = std::make_shared<SharedDecisions>();
      shared->made = shared->used = calls_;
    }
    return shared;
  }
  void note_call(SharedDecisions& shared, bool of_all_ranks) {
    if (of_all_ranks && ++calls_ % while_unused == 0) {
      std::erase_if(kept_, [&](const auto& each) { return each.second->used < calls_ - while_unused; });
    }
    shared.used = calls_;
  }

 private:
  static constexpr std::int64_t while_unused = 4096;  // so many calls of all ranks
  std::int64_t calls_ = 0;                            // of all ranks
  std::map<std::vector<Rank>, std::shared_ptr<SharedDecisions>> kept_{};
};

}  // namespace

Decisions::Decisions(MPI_Comm user, Rank rank, std::vector<Rank> world_ranks)
    : user_(user), rank_(rank), world_ranks_(std::move(world_ranks)) {}

void Decisions::note_call() {
  ++calls_;
  const Library& library = Library::get();
  const bool alone = library.several_threads();
  if (!shared_) shared_ = alone ? std::make_shared<SharedDecisions>() : SharedByRanks::get().of(world_ranks_);
  if (!alone) SharedByRanks::get().note_call(*shared_, std::ssize(world_ranks_) == library.ranks());
}

std::shared_ptr<RequestClass> Decisions::class_of(const Request& request) {
  if (const auto known = shared_->classes.find(request); known != shared_->classes.end()) return known->second;
  const bool uneven = sizes(request.operation) == Sizes::blocks && !request.blocks.all_equal();
  if (uneven && shared_->uneven == most_uneven) return nullptr;
  shared_->uneven += uneven ? 1 : 0;
  return shared_->classes[request] = std::make_shared<RequestClass>();
}

Planner& Decisions::planner() {
  if (!planner_) planner_ = Library::get().planner_for(world_ranks_);
  return *planner_;
}

// All ranks of communicators with these ranks make their first planned calls on them in the same order. Not their
// first calls: non-blocking ones have an order on each communicator only, and what is wrong may fail on one rank.
std::uint64_t Decisions::number_for_tags() {
  StableHash number;
  number.add_bytes(std::as_bytes(std::span(world_ranks_)));
  number.add_number(shared_->made);
  number.add_number(shared_->communicators++);
  return number.value();
}

Picoseconds Decisions::bound(RequestClass& one, const Request& request) {
  if (!one.bound) one.bound = planner().bound(size_class(request.known_to_all()));
  return *one.bound;
}

// By what all ranks know: numbers of calls and lower bounds, never a clock.
bool Decisions::worth_planning(RequestClass& one, const Request& request) {
  const bool early = one.calls <= first_calls;
  if (has_unknown_pairs(request)) return !early;  // nothing is searched for among its two plans
  const std::lock_guard lock(Library::get().planning());
  if (!one.recalled) one.recalled = planner().recalls(request);
  // Others may be freed after a call: they are not worth a communicator for plans yet.
  const bool costs_one = user_ != MPI_COMM_WORLD && Library::get().several_threads();
  if (*one.recalled && (!costs_one || calls_ > first_calls)) return true;
  if (early && regular_bytes(request) < large_call) return false;
  const Picoseconds least = bound(one, request);
  const Picoseconds searching = time_to_plan(world_ranks_.size());
  return early ? least / small_part > searching : least > searching / one.calls;
}

// Whether a comparison of all ranks' times is short beside the call.
bool Decisions::takes_long(RequestClass& one, const Request& request) {
  const std::lock_guard lock(Library::get().planning());
  return bound(one, request) / times_of_comparison > planner().bound(Request::allreduce(request.ranks, 1, 1));
}

Reason Decisions::decide(RequestClass& one, const Request& request, Bytes own) {
  const Settings& settings = Library::get().settings();
  ++one.calls;
  if (combines(request.operation) && settings.native_reductions) return Reason::native_asked_for;
  if (is_empty(request)) return Reason::empty;
  if (has_unknown_pairs(request) && !one.equal_pairs) {
    one.pair_elements = std::max(one.pair_elements, own / request.ranks);
  }
  if (!one.comparison) {
    if (!settings.compare && !worth_planning(one, request)) return Reason::first_calls;
    using enum Comparison::Turns;
    const Comparison::Turns turns = settings.compare ? endless : all_know(request) ? repeated : until_alike;
    one.comparison.emplace(turns, turns == repeated && takes_long(one, request));
  }
  if (one.comparison->begin_call()) return Reason::none;
  if (!one.comparison->in_turn()) return Reason::native_faster;
  return settings.compare || all_know(request) ? Reason::native_asked_for : Reason::first_calls;
}

// Replaces the numbers of each call by the largest ones of all ranks. A rank that comes early waits in a call for those
// that compute still, which is no time of the call.
void Decisions::compare(RequestClass& one) const {
  const std::span<TimedCall> calls = one.comparison ? one.comparison->round() : std::span<TimedCall>();
  if (calls.empty()) return;
  static_assert(sizeof(TimedCall) == 3 * sizeof(std::int64_t));
  for (TimedCall& call : calls) {
    call.entered -= Library::get().clock_ahead();
    call.left -= Library::get().clock_ahead();
  }
  check_mpi(MPI_Allreduce(MPI_IN_PLACE, calls.data(), static_cast<int>(3 * calls.size()), MPI_INT64_T, MPI_MAX, user_),
            "MPI_Allreduce");
  one.comparison->decide();
}

std::shared_ptr<const PreparedPlan> Decisions::plan_for(RequestClass& one, const Request& request) {
  if (has_unknown_pairs(request)) return plan_for_pairs(one, request);
  if (!one.found && !one.recalled.value_or(false) && all_know(request)) find_plan(size_class(request));
  one.found = true;
  const std::lock_guard lock(Library::get().planning());
  return planner().prepared(request, rank_);
}

// One rank searches: others may have to share its cores, and the slowest would be waited for.
void Decisions::find_plan(const Request& like) {
  std::string plan;
  if (rank_ == 0) {
    const std::lock_guard lock(Library::get().planning());
    plan = planner().plan_text(planner().plan(like));
  }
  plan = text_from(user_, 0, plan);
  if (rank_ == 0) return;
  const std::lock_guard lock(Library::get().planning());
  planner().use_plan_text({like}, plan);
}

// Among the algorithms that need no counts of others, the best one for equal counts.
Plan Decisions::best_for_pairs(const Request& request, const Request& equal) {
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
std::shared_ptr<const PreparedPlan> Decisions::plan_for_pairs(RequestClass& one, const Request& request) {
  if (!one.equal_pairs) {
    check_mpi(MPI_Allreduce(MPI_IN_PLACE, &one.pair_elements, 1, MPI_INT64_T, MPI_MAX, user_), "MPI_Allreduce");
    const Request equal = size_class(Request::alltoallv(
        request.ranks, AlltoallCounts::equal(request.ranks, std::max<std::int64_t>(one.pair_elements, 1)), 1));
    const std::string text = text_from(user_, 0, rank_ == 0 ? to_json(best_for_pairs(request, equal)) : std::string());
    const JsonDocument document = parse_json(text, "the plan of another rank", "report this");
    one.equal_pairs = plan_from_json(equal, JsonNode(document));
  }
  if (!one.last_pairs || one.last_pairs->plan.request() != request) {
    one.last_pairs = std::make_shared<const PreparedPlan>(
        Plan(request, one.equal_pairs->algorithm(), one.equal_pairs->parameters()), rank_);
  }
  return one.last_pairs;
}

}  // namespace tombolo::interpose
