#pragma once

#include <memory>
#include <span>
#include <utility>

#include <tombolo/collectives/mpi/execute.hpp>

namespace tombolo {

/// A started collective call, possibly incomplete. Its buffers, datatype and operation must stay valid until test() has
/// returned true or wait() has returned. It progresses only during Tombolo's calls on the same communicator: call
/// test() now and then in long computations. All methods throw Error on an MPI error.
///
///     Pending sum = collectives.start(Request::allreduce(ranks, n, 8), in, out, MPI_DOUBLE, MPI_SUM);
///     compute();
///     sum.wait();
class Pending {
 public:
  /// A complete call.
  Pending() = default;
  Pending(std::shared_ptr<Executor> executor, std::shared_ptr<const PreparedPlan> plan, const Memory& memory);
  Pending(Pending&& other) noexcept;
  /// Waits for the previous call of this object, as the destructor does.
  Pending& operator=(Pending&& other) noexcept;
  Pending(const Pending&) = delete;
  Pending& operator=(const Pending&) = delete;
  /// Waits, as the buffers may become invalid, unless there has been an MPI error. Does not report a new error.
  ~Pending();

  /// Returns true if the call is complete on this rank.
  bool test();
  void wait();
  /// Returns true until test() or wait() has found the call complete.
  bool active() const { return execution_ != nullptr; }
  /// Waits until one of several calls on one communicator is complete, which test() finds then; none has been found
  /// complete before.
  friend void wait_for_any(std::span<Pending* const> calls);

 private:
  void release();

  std::shared_ptr<Executor> executor_;
  std::shared_ptr<const PreparedPlan> plan_;
  Execution* execution_ = nullptr;  // null once complete
};

/// A collective call with fixed arguments for repeated use, looked up and prepared once. Its buffers, datatype and
/// operation must stay valid. All ranks start their calls in the same order.
///
///     Persistent halo = collectives.persistent(request, in, out, MPI_DOUBLE);
///     for (...) { halo.start(); compute(); halo.wait(); }
class Persistent {
 public:
  Persistent(std::shared_ptr<Executor> executor, std::shared_ptr<const PreparedPlan> plan, const Memory& memory)
      : executor_(std::move(executor)), plan_(std::move(plan)), memory_(memory) {}

  /// Throws Error until test() or wait() has found the last start complete.
  void start();
  bool test() { return pending_.test(); }
  void wait() { pending_.wait(); }

 private:
  std::shared_ptr<Executor> executor_;
  std::shared_ptr<const PreparedPlan> plan_;
  Memory memory_;
  Pending pending_;
};

}  // namespace tombolo
