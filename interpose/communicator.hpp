#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include <mpi.h>

#include <tombolo/collectives/choose/planner.hpp>
#include <tombolo/collectives/mpi/execute.hpp>
#include <tombolo/collectives/plan/algorithm.hpp>
#include <tombolo/collectives/request/request.hpp>
#include <tombolo/interpose/buffers.hpp>
#include <tombolo/interpose/native.hpp>
#include <tombolo/interpose/report.hpp>
#include <tombolo/interpose/turns.hpp>
#include <tombolo/platform/mpi/machine.hpp>

namespace tombolo::interpose {

/// The buffers of a planned call: those of the request as plain bytes, or as they are, for reductions.
struct CallBuffers {
  PlainBytes input{};
  PlainBytes output{};
  bool fill_output = false;  ///< the plan reads the output: bcast at the root, in-place calls
  bool drain_output = true;  ///< the plan writes the output
  bool plain = true;         ///< else the four below
  const void* raw_input = nullptr;
  void* raw_output = nullptr;
  MPI_Datatype type = MPI_BYTE;
  MPI_Op op = MPI_OP_NULL;
};

/// The state of one of the user's communicators, attached to it as an attribute. All decisions follow from the
/// blocking collective calls of this communicator, which all its ranks make in the same order, and from what all ranks
/// know: so all ranks decide alike.
class Communicator {
 public:
  /// Returns the state of a communicator, made at its first collective call; null for what is no communicator. Local.
  static Communicator* of(MPI_Comm communicator);
  /// The number of ranks, 0 if collectives of this communicator always pass through.
  int ranks() const { return reason_ == Reason::none ? static_cast<int>(members_.size()) : 0; }
  Rank rank() const { return rank_; }
  /// Whether it is one of several ranks, of this job or another, and no intercommunicator.
  bool is_one_group() const { return size_ > 1 && other_ranks_ == 0; }
  Reason reason() const { return reason_; }

  /// Carries out a call: by a plan, with the buffers that `fill` returns, or by `native`. Returns an MPI error code.
  template <class Native, class Fill>
  int carry_out(const Request& request, Native native, Fill fill) {
    Calls* const calls = calls_of(request);
    if (calls == nullptr) return pass(request.operation, Reason::first_calls, native);
    Reason passes = decide(*calls, request);
    if (passes == Reason::none && !ready()) passes = reason_;
    const int code = passes == Reason::none ? run(*calls, request, fill()) : pass(*calls, passes, native);
    compare(*calls->of);
    return code;
  }
  /// True once alltoallvs with counts of pairs alone pass through for good: then no request need be made.
  bool passes_exchanges() const { return native_exchanges_ != nullptr; }
  template <class Native>
  int pass_exchange(Native native) {
    return pass(*native_exchanges_, Reason::native_faster, native);
  }
  /// Passes a call through that no plan is for.
  template <class Native>
  int pass(Operation operation, Reason reason, Native native) {
    Calls& calls = others_[operation];
    if (!calls.of) calls.of = std::make_shared<Class>();
    calls.row.operation = operation;
    if (reason == Reason::arguments) return pass(calls, reason, [native] { return refuse(native); });
    return pass(calls, reason, native);
  }
  /// Carries out a call that the MPI library may have to refuse, by an error handler of the program.
  template <class Native>
  static int refuse(Native native) {
    const Outside outside;
    return native();
  }

  /// Frees what belongs to it. By the deletion of the attribute, so with the user's communicator.
  ~Communicator();
  Communicator(const Communicator&) = delete;
  Communicator& operator=(const Communicator&) = delete;
  CommunicatorReport report() const;

 private:
  /// Of an alltoallv with counts as MPI gives them: the plan for a size that the ranks agreed on, with any counts.
  struct Exchange {
    std::int64_t largest = 0;  ///< elements of a pair in the first calls: the mean of the busiest rank
    const Algorithm* algorithm = nullptr;
    Parameters parameters{};
    std::shared_ptr<const PreparedPlan> last{};  ///< for the counts of the last call
  };
  /// Requests that share decisions: of one size class, or with counts that not all ranks know. Of all communicators
  /// with the same ranks, so that one that is made for a few calls is planned at once; of one if there are threads.
  struct Class {
    std::int64_t calls = 0;
    std::optional<bool> recalled{};  ///< whether an earlier run kept its plan
    bool found = false;              ///< the plan, by all ranks
    bool planned = false;
    bool long_calls = false;  ///< half of the turns are worth a comparison
    bool native = false;      ///< was faster when last compared
    std::int64_t since = 0;   ///< calls since there is a plan
    /// Native and planned calls take turns from then on: first after two planned ones, which make connections and find
    /// them slow.
    std::int64_t turns_from = 2;
    std::int64_t turns_wait = 0;            ///< from the last turns to the next
    Picoseconds least = -1;                 ///< a lower bound of a call's time; -1: not known yet
    std::vector<TimedCall> native_calls{};  ///< the first ones
    std::vector<TimedCall> planned_calls{};
    std::unique_ptr<Turns> turns{};
    Exchange exchange{};
    double compared_native = 0;  ///< in seconds
    double compared_planned = 0;
  };
  /// What communicators with the same ranks share unless there are threads; else what one has.
  struct Shared {
    std::unordered_map<Request, std::shared_ptr<Class>, RequestHash, SameRequest> classes{};
    std::int64_t uneven = 0;         ///< classes of blocks that are not equal, each of one call or few
    std::int64_t communicators = 0;  ///< that plans were made for
    std::int64_t made = 0;           ///< calls of all ranks before it, SharedByRanks
    std::int64_t used = 0;           ///< the same before the last call
  };
  class SharedByRanks;
  /// The calls of a class on this communicator.
  struct Calls {
    std::shared_ptr<Class> of{};
    Bytes bytes = 0;  ///< of the call at hand on this rank, where not all ranks know it
    CallRow row{};
  };

  explicit Communicator(MPI_Comm communicator);
  static SharedByRanks& shared_by_ranks();
  Shared& shared();
  /// Returns null for blocks that are not equal where there were many other such ones: counts that change with every
  /// call would fill the memory.
  Calls* calls_of(const Request& request);
  Reason decide(Calls& calls, const Request& request);
  void find_least(Class& one, const Request& request);  // requires the lock Library::planning()
  bool takes_long(Class& one, const Request& request);
  bool worth_planning(Class& one, const Request& request);
  std::shared_ptr<const PreparedPlan> plan_for(Class& one, const Request& request);
  void find_plan(const Request& like);
  Plan best_exchange(const Request& request, const Request& equal);
  std::shared_ptr<const PreparedPlan> plan_of_exchange(Exchange& exchange, const Request& request);
  int run(Calls& calls, const Request& request, const CallBuffers& buffers);
  void run_reduction(const PreparedPlan& plan, const Request& request, const CallBuffers& buffers);
  void compare(Class& one);
  void compare_turns(Class& one);
  void take_largest(std::span<TimedCall> calls) const;
  static CallRow row_of(const Calls& calls);
  Planner& planner();
  bool ready();
  bool make_own();
  template <class Native>
  int pass(Calls& calls, Reason reason, Native native) {
    const Picoseconds entered = machine::now();
    const int code = native();
    note_native(calls, reason, entered, machine::now());
    return code;
  }
  static void note_native(Calls& calls, Reason reason, Picoseconds entered, Picoseconds left);

  MPI_Comm user_;
  MPI_Comm own_ = MPI_COMM_NULL;  // for the messages of plans where there are threads; made for the first one
  Rank rank_ = 0;
  int size_ = 1;
  int other_ranks_ = 0;          // ranks of the other group of an intercommunicator
  std::vector<Rank> members_{};  // world ranks
  Reason reason_ = Reason::none;
  std::int64_t calls_ = 0;  // of all classes
  std::shared_ptr<Planner> planner_{};
  std::unique_ptr<Executor> executor_{};
  std::shared_ptr<Shared> shared_{};  // from the first blocking call on, which all ranks make in the same order
  std::unordered_map<Request, Calls, RequestHash, SameRequest> by_class_{};
  Calls* native_exchanges_ = nullptr;    // of by_class_, once it is native for good
  std::map<Operation, Calls> others_{};  // calls that no plan is for
};

}  // namespace tombolo::interpose
