#include <algorithm>
#include <utility>

#include <tombolo/collectives/mpi/execute.hpp>
#include <tombolo/platform/mpi/check.hpp>

namespace tombolo {

namespace {

/// Address and count of a message of one buffer range.
struct Message {
  Message(const Memory& memory, std::span<const BufferRange> pieces)
      : address(pieces.empty() ? nullptr : memory.address(pieces[0])),
        count(pieces.empty() ? 0 : static_cast<int>(pieces[0].count)) {}
  void* address;
  int count;
};

class Rounds {
 public:
  Rounds(const Schedule& schedule, const Memory& memory, const Peers& peers, Tags tags)
      : schedule_(schedule), memory_(memory), peers_(peers), first_tag_(static_cast<int>(tags.first)) {}

  void run(const Step& step) {
    switch (step.kind) {
      case Step::Kind::send:
        send(step);
        break;
      case Step::Kind::receive: {
        const Message in(memory_, schedule_.into(step));
        note(MPI_Recv(in.address, in.count, memory_.type(), peers_.of(step.peer), first_tag_ + step.tag,
                      peers_.communicator, MPI_STATUS_IGNORE));
        break;
      }
      case Step::Kind::copy:
        memory_.copy(schedule_.from(step), schedule_.into(step), peers_.communicator);
        break;
      case Step::Kind::reduce:
        memory_.reduce(schedule_.from(step), schedule_.into(step));
        break;
    }
  }

  void run(const Step& send, const Step& receive) {
    const Message out(memory_, schedule_.from(send));
    const Message in(memory_, schedule_.into(receive));
    note(MPI_Sendrecv(out.address, out.count, memory_.type(), peers_.of(send.peer), first_tag_ + send.tag, in.address,
                      in.count, memory_.type(), peers_.of(receive.peer), first_tag_ + receive.tag, peers_.communicator,
                      MPI_STATUS_IGNORE));
  }

  /// Throws the first error of a message. Those after it were sent and received, as other ranks wait for them.
  void throw_error() const { check_mpi(error_, "a message"); }

 private:
  void note(int code) {
    if (error_ == MPI_SUCCESS) error_ = code;
  }
  void send(const Step& step) {
    const Message out(memory_, schedule_.from(step));
    if (schedule_.window(step) > 0) {
      note(MPI_Ssend(out.address, out.count, memory_.type(), peers_.of(step.peer), first_tag_ + step.tag,
                     peers_.communicator));
    } else {
      note(MPI_Send(out.address, out.count, memory_.type(), peers_.of(step.peer), first_tag_ + step.tag,
                    peers_.communicator));
    }
  }

  const Schedule& schedule_;
  const Memory& memory_;
  const Peers& peers_;
  int first_tag_;
  int error_ = MPI_SUCCESS;
};

// Executes a schedule that is in_rounds(), with no message above memory.most(), by blocking calls: cheaper than
// non-blocking ones, and nothing else can progress meanwhile.
void run_in_rounds(const PreparedSchedule& prepared, const Memory& memory, const Peers& peers, Tags tags) {
  const Schedule& schedule = prepared.schedule();
  Rounds rounds(schedule, memory, peers, tags);
  for (const PreparedSchedule::Round& round : prepared.rounds()) {
    const Step& first = schedule.step(round.first);
    if (round.second == no_step) {
      rounds.run(first);
      continue;
    }
    const Step& second = schedule.step(round.second);
    if (first.kind == Step::Kind::send) {
      rounds.run(first, second);
    } else {
      rounds.run(second, first);
    }
  }
  rounds.throw_error();
}

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
    : peers_{.communicator = communicator}, scratch_(phantom) {
  const std::int64_t tags = largest_tag(communicator) + 1;
  blocking_.count = tags / 2;
  started_ = blocking_.count;
  const std::int64_t holders = std::clamp(blocking_.count / ample, least_holders, most_holders);
  range_ = (tags - blocking_.count) / holders;
  holders_.resize(static_cast<std::size_t>(holders), nullptr);
}

// At least half of the tags of blocking calls are left for each.
Executor::Executor(Peers peers, std::uint64_t number) : Executor(peers.communicator) {
  peers_.ranks = std::move(peers.ranks);
  blocking_.first = static_cast<std::int64_t>(number % static_cast<std::uint64_t>(blocking_.count / 2));
  blocking_.count -= blocking_.first;
}

void Executor::run(const PreparedPlan& plan, Memory& memory) {
  Guard guard(failed_);
  const PreparedSchedule& first = plan.first;
  if (first.in_rounds() && under_way_.empty() && first.largest() <= memory.most() && !plan.plan.learns()) {
    check_tags(first, blocking_);
    const ScratchPool::Lease scratch = memory.place_scratch(first.schedule().scratch(), scratch_);
    run_in_rounds(first, memory, peers_, blocking_);
  } else {
    Execution& execution = free_one();
    begin(execution, plan, memory, blocking_);
    complete(execution);
    free_.push_back(&execution);
  }
  guard.good();
  messages_.throw_error();
}

Execution& Executor::start(const PreparedPlan& plan, const Memory& memory) {
  Guard guard(failed_);
  Execution*& holder = holders_[next_];
  if (holder != nullptr) complete(*holder);
  Execution& execution = free_one();
  holder = &execution;
  begin(execution, plan, memory, {started_ + static_cast<std::int64_t>(next_) * range_, range_});
  next_ = (next_ + 1) % holders_.size();
  guard.good();
  return execution;
}

bool Executor::test(Execution& execution) {
  if (execution.done()) return true;
  Guard guard(failed_);
  get_on(messages_.test_some());
  guard.good();
  messages_.throw_error();
  return execution.done();
}

void Executor::wait(Execution& execution) {
  Guard guard(failed_);
  complete(execution);
  guard.good();
  messages_.throw_error();
}

void Executor::wait_for_any(std::span<Execution* const> executions) {
  if (executions.size() == 1) return wait(*executions.front());
  Guard guard(failed_);
  const auto done = [](const Execution* execution) { return execution->done(); };
  while (std::ranges::none_of(executions, done)) get_on(messages_.wait_some());
  guard.good();
  messages_.throw_error();
}

void Executor::release(Execution& execution) {
  Execution*& holder = holders_[static_cast<std::size_t>((execution.tags().first - started_) / range_)];
  if (holder == &execution) holder = nullptr;
  free_.push_back(&execution);
}

void Executor::finish() {
  while (!failed_ && !under_way_.empty()) wait(*under_way_.front());
}

Execution& Executor::free_one() {
  if (free_.empty()) {
    free_.push_back(all_.emplace_back(std::make_unique<Execution>(peers_, scratch_)).get());
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
