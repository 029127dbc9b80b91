#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <unordered_map>
#include <utility>
#include <vector>

#include <mpi.h>

#include <tombolo/collectives/choose/planner.hpp>
#include <tombolo/collectives/mpi/execute.hpp>
#include <tombolo/collectives/request/request.hpp>
#include <tombolo/interpose/buffers.hpp>
#include <tombolo/interpose/report.hpp>

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
  /// Returns the state of a communicator, made at its first collective call. Local.
  static Communicator& of(MPI_Comm communicator);
  /// The number of ranks, 0 if collectives of this communicator always pass through.
  int ranks() const { return reason_ == Reason::none ? static_cast<int>(members_.size()) : 0; }
  Rank rank() const { return rank_; }
  Reason reason() const { return reason_; }

  /// Carries out a call: by a plan, with the buffers that `fill` returns, or by `native`. Returns an MPI error code.
  template <class Native, class Fill>
  int carry_out(const Request& request, Native native, Fill fill) {
    Class& one = class_of(request);
    const Reason passes = decide(one, request);
    if (passes != Reason::none) return pass(one, passes, native);
    return run(one, request, fill());
  }
  /// Passes a call through that no plan is for.
  template <class Native>
  int pass(Operation operation, Reason reason, Native native) {
    Class& one = others_[operation];
    one.row.operation = operation;
    return pass(one, reason, native);
  }

  /// Frees what belongs to it. By the deletion of the attribute, so with the user's communicator.
  ~Communicator();
  Communicator(const Communicator&) = delete;
  Communicator& operator=(const Communicator&) = delete;
  CommunicatorReport report() const;

 private:
  /// Requests that share decisions: of one size class.
  struct Class {
    std::int64_t calls = 0;
    bool planned = false;
    std::int64_t since = 0;  ///< calls since there is a plan
    bool native_for_good = false;
    bool compared = false;
    Picoseconds least = -1;              ///< a lower bound of a call's time; -1: not known yet
    std::vector<double> native_times{};  ///< in seconds, of the first calls on this rank
    std::vector<double> planned_times{};
    CallRow row{};
  };

  explicit Communicator(MPI_Comm communicator);
  Class& class_of(const Request& request);
  Reason decide(Class& one, const Request& request);
  bool worth_planning(Class& one, const Request& request);
  int run(Class& one, const Request& request, const CallBuffers& buffers);
  void compare(Class& one);
  Planner& planner();
  Executor& executor();
  template <class Native>
  int pass(Class& one, Reason reason, Native native) {
    const double begin = MPI_Wtime();
    const int code = native();
    note_native(one, reason, MPI_Wtime() - begin);
    return code;
  }
  static void note_native(Class& one, Reason reason, double taken);

  MPI_Comm user_;
  MPI_Comm own_ = MPI_COMM_NULL;  // for the messages of plans; made for the first one
  Rank rank_ = 0;
  std::vector<Rank> members_{};  // world ranks
  Reason reason_ = Reason::none;
  std::shared_ptr<Planner> planner_{};
  std::unique_ptr<Executor> executor_{};
  std::unordered_map<Request, Class, RequestHash, SameRequest> classes_{};
  std::map<Operation, Class> others_{};  // calls that no plan is for
};

}  // namespace tombolo::interpose
