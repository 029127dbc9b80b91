#include <vector>

#include <tombolo/collectives/mpi/pending.hpp>
#include <tombolo/units.hpp>

namespace tombolo {

Pending::Pending(std::shared_ptr<Executor> executor, std::shared_ptr<const PreparedPlan> plan, const Memory& memory)
    : executor_(std::move(executor)), plan_(std::move(plan)), execution_(&executor_->start(*plan_, memory)) {}

Pending::Pending(Pending&& other) noexcept
    : executor_(std::move(other.executor_)),
      plan_(std::move(other.plan_)),
      execution_(std::exchange(other.execution_, nullptr)) {}

Pending& Pending::operator=(Pending&& other) noexcept {
  const Pending before(std::move(*this));
  executor_ = std::move(other.executor_);
  plan_ = std::move(other.plan_);
  execution_ = std::exchange(other.execution_, nullptr);
  return *this;
}

Pending::~Pending() {
  if (execution_ == nullptr || executor_->failed()) return;
  try {
    wait();
  } catch (const std::exception&) {  // NOLINT(bugprone-empty-catch): no caller to report to
  }
}

bool Pending::test() {
  if (execution_ == nullptr) return true;
  if (!executor_->test(*execution_)) return false;
  release();
  return true;
}

void Pending::wait() {
  if (execution_ == nullptr) return;
  executor_->wait(*execution_);
  release();
}

void wait_for_any(std::span<Pending* const> calls) {
  std::vector<Execution*> executions;
  for (const Pending* const call : calls) executions.push_back(call->execution_);
  calls.front()->executor_->wait_for_any(executions);
}

void Pending::release() {
  executor_->release(*execution_);
  execution_ = nullptr;
}

void Persistent::start() {
  if (pending_.active()) throw Error("a persistent call started again before it is complete", "wait for it first");
  pending_ = Pending(executor_, plan_, memory_);
}

}  // namespace tombolo
