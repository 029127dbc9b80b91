#pragma once

#include <memory>
#include <utility>

#include <tombolo/collectives/mpi/execute.hpp>

namespace tombolo {

/// A collective call that has been started and may not be complete. Its buffers, datatype and operation must stay as
/// they are until test() has returned true or wait() has returned. It gets on during calls of Tombolo's on the same
/// communicator, and only then: call test() now and then in long computations. All throw Error when MPI reports one.
///
///     Pending sum = collectives.iallreduce(in, out, n, MPI_DOUBLE, MPI_SUM);
///     compute();
///     sum.wait();
class Pending {
 public:
  /// Nothing, which is complete.
  Pending() = default;
  Pending(std::shared_ptr<Executor> executor, std::shared_ptr<const PreparedPlan> plan, const Memory& memory);
  Pending(Pending&& other) noexcept;
  /// Waits for what was under way here before, as the destructor does.
  Pending& operator=(Pending&& other) noexcept;
  Pending(const Pending&) = delete;
  Pending& operator=(const Pending&) = delete;
  /// Waits, for the buffers may go away, unless MPI has reported an error. A new one is not reported.
  ~Pending();

  /// Whether it is complete on this rank.
  bool test();
  void wait();
  /// Whether it is not known to be complete.
  bool active() const { return execution_ != nullptr; }

 private:
  void release();

  std::shared_ptr<Executor> executor_;
  std::shared_ptr<const PreparedPlan> plan_;
  Execution* execution_ = nullptr;  // null once it is complete
};

/// A collective call with fixed arguments, to be carried out again and again: all is looked up and prepared once. Its
/// buffers, datatype and operation must stay. All ranks start their calls in the same order.
///
///     Persistent halo = collectives.persistent(request, in, out, MPI_DOUBLE);
///     for (...) { halo.start(); compute(); halo.wait(); }
class Persistent {
 public:
  Persistent(std::shared_ptr<Executor> executor, std::shared_ptr<const PreparedPlan> plan, const Memory& memory)
      : executor_(std::move(executor)), plan_(std::move(plan)), memory_(memory) {}

  /// Throws Error while the last start is not known to be complete.
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
