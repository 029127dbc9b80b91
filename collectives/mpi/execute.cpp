#include <algorithm>

#include <tombolo/collectives/mpi/execute.hpp>
#include <tombolo/collectives/mpi/rounds.hpp>
#include <tombolo/platform/mpi/check.hpp>

namespace tombolo {

namespace {

constexpr std::int64_t least_holders = 32;
constexpr std::int64_t most_holders = 1024;
constexpr std::int64_t ample = 1 << 16;  // messages between two ranks

std::int64_t largest_tag(MPI_Comm communicator) {
  int* limit = nullptr;
  int found = 0;
  check_mpi(MPI_Comm_get_attr(communicator, MPI_TAG_UB, static_cast<void*>(&limit), &found), "MPI_Comm_get_attr");
  constexpr int least_that_mpi_allows = 32767;
  return found != 0 ? *limit : least_that_mpi_allows;
}

/// Sets `failed` unless good() was called before the end of the scope.
class Guard {
 public:
  explicit Guard(bool& failed) : failed_(failed), before_(failed) { failed_ = true; }
  ~Guard() { failed_ = !good_ || before_; }
  Guard(const Guard&) = delete;
  Guard& operator=(const Guard&) = delete;
  void good() { good_ = true; }

 private:
  bool& failed_;
  bool before_;
  bool good_ = false;
};

}  // namespace

// Half of the tags are for blocking calls, which may have very many messages.
Executor::Executor(MPI_Comm communicator, std::span<std::byte> phantom)
    : communicator_(communicator), scratch_(phantom) {
  const std::int64_t tags = largest_tag(communicator) + 1;
  blocking_.count = tags / 2;
  const std::int64_t holders = std::clamp(blocking_.count / ample, least_holders, most_holders);
  range_ = (tags - blocking_.count) / holders;
  holders_.resize(static_cast<std::size_t>(holders), nullptr);
}

void Executor::run(const PreparedPlan& plan, Memory& memory) {
  Guard guard(failed_);
  const PreparedSchedule& first = plan.first;
  if (first.in_rounds() && under_way_.empty() && first.largest() <= memory.most() && !plan.plan.learns()) {
    check_tags(first, blocking_);
    const ScratchPool::Lease scratch = memory.place_scratch(first.schedule().scratch(), scratch_);
    run_in_rounds(first, memory, communicator_);
  } else {
    Execution& execution = free_one();
    begin(execution, plan, memory, blocking_);
    complete(execution);
    free_.push_back(&execution);
  }
  guard.good();
}

Execution& Executor::start(const PreparedPlan& plan, const Memory& memory) {
  Guard guard(failed_);
  Execution*& holder = holders_[next_];
  if (holder != nullptr) complete(*holder);
  Execution& execution = free_one();
  holder = &execution;
  begin(execution, plan, memory, {blocking_.count + static_cast<std::int64_t>(next_) * range_, range_});
  next_ = (next_ + 1) % holders_.size();
  guard.good();
  return execution;
}

bool Executor::test(Execution& execution) {
  if (execution.done()) return true;
  Guard guard(failed_);
  get_on(messages_.test_some());
  guard.good();
  return execution.done();
}

void Executor::wait(Execution& execution) {
  Guard guard(failed_);
  complete(execution);
  guard.good();
}

void Executor::release(Execution& execution) {
  Execution*& holder = holders_[static_cast<std::size_t>((execution.tags().first - blocking_.count) / range_)];
  if (holder == &execution) holder = nullptr;
  free_.push_back(&execution);
}

void Executor::finish() {
  while (!failed_ && !under_way_.empty()) wait(*under_way_.front());
}

Execution& Executor::free_one() {
  if (free_.empty()) {
    free_.push_back(all_.emplace_back(std::make_unique<Execution>(communicator_, scratch_)).get());
  }
  Execution& execution = *free_.back();
  free_.pop_back();
  return execution;
}

void Executor::begin(Execution& execution, const PreparedPlan& plan, const Memory& memory, Tags tags) {
  execution.begin(plan, memory, tags);
  execution.advance(messages_);
  if (!execution.done()) under_way_.push_back(&execution);
}

void Executor::complete(Execution& execution) {
  while (!execution.done()) {
    if (under_way_.size() == 1 && execution.only_waits()) {
      messages_.wait_all();
      execution.complete_started();
      execution.advance(messages_);
      remove_done();
    } else {
      get_on(messages_.wait_some());
    }
  }
}

void Executor::get_on(const std::vector<Messages::Origin>& finished) {
  if (finished.empty()) return;
  for (const Messages::Origin& origin : finished) origin.execution->complete(origin.step);
  for (Execution* const execution : under_way_) execution->advance(messages_);
  remove_done();
}

void Executor::remove_done() {
  std::erase_if(under_way_, [](const Execution* execution) { return execution->done(); });
}

}  // namespace tombolo
