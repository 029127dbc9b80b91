#include <algorithm>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>

#include <tombolo/collectives/mpi/execution.hpp>
#include <tombolo/platform/mpi/check.hpp>
#include <tombolo/platform/mpi/machine.hpp>

namespace tombolo {

const std::vector<Messages::Origin>& Messages::wait_some() {
  if (requests_.empty()) throw std::logic_error("a schedule that never ends: prove it first");
  note(machine::wait_some(requests_, indices_));
  take_finished();
  return finished_;
}

const std::vector<Messages::Origin>& Messages::test_some() {
  finished_.clear();
  if (requests_.empty()) return finished_;
  note(machine::test_some(requests_, indices_));
  if (!indices_.empty()) take_finished();
  return finished_;
}

void Messages::wait_all() {
  // MPI_Wait is faster for one message, the usual number in small calls.
  if (requests_.size() == 1) {
    note(MPI_Wait(requests_.data(), MPI_STATUS_IGNORE));
  } else {
    statuses_.resize(requests_.size());
    for (std::ptrdiff_t before = std::ssize(requests_) + 1; before > 0;) {
      const int code = MPI_Waitall(static_cast<int>(requests_.size()), requests_.data(), statuses_.data());
      if (code == MPI_SUCCESS) break;
      note(error_of_messages(code, statuses_));
      const std::ptrdiff_t left = std::ssize(requests_) - std::ranges::count(requests_, MPI_REQUEST_NULL);
      if (left == before) check_mpi(code, "MPI_Waitall");  // of the call itself
      before = left;                                       // may be under way yet
    }
  }
  requests_.clear();
  origins_.clear();
}

void Messages::note(int code) {
  if (error_ == MPI_SUCCESS) error_ = code;
}

void Messages::throw_error() {
  check_mpi(std::exchange(error_, MPI_SUCCESS), "a message");
}

// Pending messages stay contiguous and in order.
void Messages::take_finished() {
  finished_.clear();
  for (const int index : indices_) finished_.push_back(origins_[static_cast<std::size_t>(index)]);
  std::size_t kept = 0;
  for (std::size_t i = 0; i < requests_.size(); ++i) {
    if (requests_[i] == MPI_REQUEST_NULL) continue;
    requests_[kept] = requests_[i];
    origins_[kept++] = origins_[i];
  }
  requests_.resize(kept);
  origins_.resize(kept);
}

void check_tags(const PreparedSchedule& schedule, Tags tags) {
  if (schedule.tags() <= tags.count) return;
  throw Error(
      fmt::format("{} messages from one rank to another, and this MPI has tags for {}", schedule.tags(), tags.count),
      "take larger segments, or a blocking call in place of a started one");
}

void Execution::begin(const PreparedPlan& plan, const Memory& memory, Tags tags) {
  plan_ = &plan;
  memory_ = memory;
  tags_ = tags;
  done_ = false;
  if (plan.plan.learns()) {
    begin_learning();
  } else {
    begin(plan.first, memory_);
  }
}

void Execution::begin(const PreparedSchedule& schedule, Memory& memory) {
  check_tags(schedule, tags_);
  now_ = &schedule;
  where_ = &memory;
  schedule_done_ = false;
  unfinished_.clear();
  // No packing with phantom scratch, which has no contents: real data, such as learned counts, would be lost.
  stages_ = memory.dense() && pool_.phantom().empty() && schedule.scratch_with_staged() > 0;
  scratch_ = {};
  scratch_ = memory.place_scratch(stages_ ? schedule.scratch_with_staged() : schedule.schedule().scratch(), pool_);
  progress_.restart(schedule.dependencies());
}

void Execution::begin_learning() {
  const Blocks& blocks = plan_->plan.request().blocks;
  counts_.assign(static_cast<std::size_t>(blocks.size()), Blocks::unknown);
  for (int block = 0; block < blocks.size(); ++block) {
    if (blocks.known(block)) counts_[static_cast<std::size_t>(block)] = blocks.count(block);
  }
  learning_ = Memory(std::span<std::int64_t>(counts_));
  begin(plan_->first, learning_);
}

void Execution::begin_learned() {
  learned_ = plan_->learned(counts_);
  begin(*learned_, memory_);
}

void Execution::advance(Messages& messages) {
  while (!done_) {
    start_all(messages);
    if (!schedule_done_ && !progress_.done()) return;
    if (where_ == &learning_) {
      begin_learned();
    } else {
      done_ = true;
      scratch_ = {};
    }
  }
}

// Receives first, as models assume: a message that finds its receive is not buffered, nor does it wait for the
// processor to have sent others. Local steps complete at once and may make further steps ready.
void Execution::start_all(Messages& messages) {
  const Schedule& schedule = now_->schedule();
  later_.clear();
  std::size_t done = 0;
  while (true) {
    for (StepId id = progress_.next(); id != no_step; id = progress_.next()) {
      const Step& step = schedule.step(id);
      if (step.kind == Step::Kind::receive) {
        post(messages, id, step);
      } else {
        later_.push_back(id);
      }
    }
    if (done == later_.size()) return;
    const StepId id = later_[done++];
    const Step& step = schedule.step(id);
    if (step.is_message()) {
      post(messages, id, step);
      continue;
    }
    if (step.kind == Step::Kind::copy) {
      where_->copy(schedule.from(step), schedule.into(step), peers_.communicator);
    } else {
      where_->reduce(schedule.from(step), schedule.into(step));
    }
    progress_.complete(id);
  }
}

void Execution::post(Messages& messages, StepId id, const Step& step) {
  const Schedule& schedule = now_->schedule();
  const auto pieces = step.kind == Step::Kind::send ? schedule.from(step) : schedule.into(step);
  if (step.count <= where_->most()) {
    post(messages, id, step, pieces);
  } else {
    post_in_parts(messages, id, step, pieces);
  }
}

// Both sides split at the same elements, and MPI keeps messages of one tag in order.
void Execution::post_in_parts(Messages& messages, StepId id, const Step& step, std::span<const BufferRange> pieces) {
  std::vector<BufferRange> part;
  std::int64_t room = where_->most();
  for (BufferRange left : pieces) {
    while (left.count > 0) {
      const std::int64_t now = std::min(left.count, room);
      part.push_back({left.buffer, left.offset, now});
      left = {left.buffer, left.offset + now, left.count - now};
      room -= now;
      if (room > 0) continue;
      post(messages, id, step, part);
      part.clear();
      room = where_->most();
    }
  }
  if (!part.empty()) post(messages, id, step, part);
}

// Posts one message.
void Execution::post(Messages& messages, StepId id, const Step& step, std::span<const BufferRange> pieces) {
  if (pieces.empty()) {
    post(messages, id, step, nullptr, 0, where_->type());
  } else if (pieces.size() == 1) {
    post(messages, id, step, where_->address(pieces[0]), static_cast<int>(pieces[0].count), where_->type());
  } else {
    post_pieces(messages, id, step, pieces);
  }
}

void Execution::post_pieces(Messages& messages, StepId id, const Step& step, std::span<const BufferRange> pieces) {
  const std::int64_t count = elements(pieces);
  // SimGrid would copy a message of several buffer ranges; phantom memory avoids such copies.
  if (where_->holds_nothing(pieces, count)) {
    post(messages, id, step, where_->phantom(), static_cast<int>(count), where_->type());
    return;
  }
  const BufferRange staged = stages_ ? now_->staged(id) : BufferRange{};
  if (staged.count > 0) {
    if (step.kind == Step::Kind::send) where_->copy(pieces, std::span(&staged, 1), peers_.communicator);
    post(messages, id, step, where_->address(staged), static_cast<int>(count), where_->type());
    return;
  }
  std::vector<MemoryRange> ranges;
  ranges.reserve(pieces.size());
  for (const BufferRange& piece : pieces) ranges.push_back({where_->address(piece), piece.count});
  const Datatype all = Datatype::gathered(ranges, where_->type());
  post(messages, id, step, MPI_BOTTOM, 1, all);
}

void Execution::post(Messages& messages, StepId id, const Step& step, void* address, int count, MPI_Datatype type) {
  MPI_Request& request = messages.add({this, id});
  const int tag = static_cast<int>(tags_.first) + step.tag;
  const Rank peer = peers_.of(step.peer);
  const MPI_Comm communicator = peers_.communicator;
  if (step.kind == Step::Kind::receive) {
    check_mpi(MPI_Irecv(address, count, type, peer, tag, communicator, &request), "MPI_Irecv");
  } else if (now_->schedule().window(step) > 0) {
    // MPI_Isend may complete as soon as the message is buffered; then a window would limit nothing.
    check_mpi(MPI_Issend(address, count, type, peer, tag, communicator, &request), "MPI_Issend");
  } else {
    check_mpi(MPI_Isend(address, count, type, peer, tag, communicator, &request), "MPI_Isend");
  }
}

// A step of several messages is complete when the last of them is.
void Execution::complete(StepId id) {
  const Step& step = now_->schedule().step(id);
  if (step.count > where_->most()) {
    const auto [at, first] = unfinished_.try_emplace(id, (step.count - 1) / where_->most() + 1);
    if (--at->second > 0) return;
    unfinished_.erase(at);
  }
  if (stages_ && step.kind == Step::Kind::receive) {
    const auto pieces = now_->schedule().into(step);
    const BufferRange staged = now_->staged(id);
    if (staged.count > 0 && !where_->holds_nothing(pieces, staged.count)) {
      where_->copy(std::span(&staged, 1), pieces, peers_.communicator);
    }
  }
  progress_.complete(id);
}

void Execution::complete_started() {
  schedule_done_ = progress_.all_started();
}

}  // namespace tombolo
