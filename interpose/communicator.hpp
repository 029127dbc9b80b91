#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <unordered_map>

#include <mpi.h>

#include <tombolo/collectives/mpi/execute.hpp>
#include <tombolo/collectives/request/request.hpp>
#include <tombolo/interpose/buffers.hpp>
#include <tombolo/interpose/decisions.hpp>
#include <tombolo/interpose/native.hpp>
#include <tombolo/interpose/report.hpp>
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

/// The state of one of the user's communicators, attached to it as an attribute: carries out its collective calls as
/// its ranks decide about them, and counts them for the report.
class Communicator {
 public:
  /// Returns the state of a communicator, made at its first collective call; null for what is no communicator. Local.
  static Communicator* of(MPI_Comm communicator);
  /// The number of ranks, 0 if collectives of this communicator always pass through.
  int ranks() const { return reason_ == Reason::none ? size_ : 0; }
  Rank rank() const { return rank_; }
  /// Whether it is one of several ranks, of this job or another, and no intercommunicator.
  bool is_one_group() const { return size_ > 1 && other_ranks_ == 0; }
  Reason reason() const { return reason_; }

  /// Carries out a call: by a plan, with the buffers that `fill` returns, or by `native`. Returns an MPI error code.
  template <class Native, class Fill>
  int carry_out(const Request& request, Native native, Fill fill) {
    Calls* const calls = calls_of(request);
    if (calls == nullptr) return pass(request.operation, Reason::first_calls, native);
    const Reason passes = decide(*calls, request);
    const int code = passes == Reason::none ? run(*calls, request, fill()) : pass(*calls, passes, native);
    decisions_->compare(*calls->decided);
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
  /// The calls of a class on this communicator, or those of an operation that no plan is for.
  struct Calls {
    std::shared_ptr<RequestClass> decided{};  ///< null if no plan is for them
    Bytes bytes = 0;                          ///< of the call at hand on this rank, where not all ranks know it
    CallRow row{};
    void note(Picoseconds entered, Picoseconds left) const;
  };

  explicit Communicator(MPI_Comm communicator);
  Calls* calls_of(const Request& request);
  Reason decide(Calls& calls, const Request& request);
  int run(Calls& calls, const Request& request, const CallBuffers& buffers);
  void run_reduction(const PreparedPlan& plan, const Request& request, const CallBuffers& buffers);
  bool ready();
  bool make_own();
  template <class Native>
  int pass(Calls& calls, Reason reason, Native native) {
    const Picoseconds entered = machine::now();
    const int code = native();
    const Picoseconds left = machine::now();
    ++calls.row.passed[static_cast<std::size_t>(reason)];
    calls.row.native_seconds += seconds(left - entered);
    calls.note(entered, left);
    return code;
  }

  MPI_Comm user_;
  MPI_Comm own_ = MPI_COMM_NULL;  // for the messages of plans where there are threads; made for the first one
  Rank rank_ = 0;
  int size_ = 1;
  int other_ranks_ = 0;  // ranks of the other group of an intercommunicator
  Reason reason_ = Reason::none;
  std::unique_ptr<Decisions> decisions_{};  // null if its calls always pass through
  std::unique_ptr<Executor> executor_{};
  std::unordered_map<Request, Calls, RequestHash, SameRequest> by_class_{};
  Calls* native_exchanges_ = nullptr;    // of by_class_, once it is native for good
  std::map<Operation, Calls> others_{};  // calls that no plan is for
};

}  // namespace tombolo::interpose
