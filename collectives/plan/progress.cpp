#include <numeric>

#include <tombolo/collectives/plan/progress.hpp>

namespace tombolo {

namespace {

// Turns the counts of all parts, in place, into the begin of each part; returns the positions of the next entries.
std::vector<std::int32_t> begin_parts(std::vector<std::int32_t>& first) {
  std::partial_sum(first.begin(), first.end(), first.begin());
  return {first.begin(), first.end() - 1};
}

}  // namespace

Dependencies::Dependencies(const Schedule& schedule)
    : waiting_(schedule.steps().size()),
      first_successor_(schedule.steps().size() + 1),
      first_queued_(schedule.windows().size() + 1),
      windows_(schedule.windows().begin(), schedule.windows().end()),
      channel_(schedule.steps().size(), -1) {
  for (StepId id = 0; id < schedule.size(); ++id) {
    const Step& step = schedule.step(id);
    waiting_[static_cast<std::size_t>(id)] = step.after.size;
    if (step.after.size == 0) at_first_.push_back(id);
    for (const StepId before : schedule.after(step)) ++first_successor_[static_cast<std::size_t>(before) + 1];
    if (schedule.window(step) == 0) continue;
    channel_[static_cast<std::size_t>(id)] = step.channel;
    ++first_queued_[static_cast<std::size_t>(step.channel) + 1];
  }
  std::vector<std::int32_t> successor = begin_parts(first_successor_);
  std::vector<std::int32_t> queued = begin_parts(first_queued_);
  successors_.resize(static_cast<std::size_t>(first_successor_.back()));
  queued_.resize(static_cast<std::size_t>(first_queued_.back()));
  for (StepId id = 0; id < schedule.size(); ++id) {
    for (const StepId before : schedule.after(schedule.step(id))) {
      successors_[static_cast<std::size_t>(successor[static_cast<std::size_t>(before)]++)] = id;
    }
    const std::int32_t in = channel(id);
    if (in >= 0) queued_[static_cast<std::size_t>(queued[static_cast<std::size_t>(in)]++)] = id;
  }
}

Progress::Progress(const Schedule& schedule) : own_(std::make_shared<const Dependencies>(schedule)) {
  restart(*own_);
}

void Progress::restart(const Dependencies& dependencies) {
  dependencies_ = &dependencies;
  size_ = dependencies.size();
  waiting_ = dependencies.waiting();
  channels_.assign(static_cast<std::size_t>(dependencies.channels()), Channel{});
  started_.assign(waiting_.size(), 0);
  ready_.clear();
  ready_.reserve(waiting_.size());
  taken_ = 0;
  completed_ = 0;
  for (const StepId id : dependencies.at_first()) unblock(id);
}

void Progress::unblock(StepId id) {
  const std::int32_t channel = dependencies_->channel(id);
  if (channel < 0) {
    ready_.push_back(id);
  } else {
    advance(channel);
  }
}

void Progress::advance(std::int32_t which) {
  Channel& channel = channels_[static_cast<std::size_t>(which)];
  const auto queue = dependencies_->queue(which);
  const int window = dependencies_->window(which);
  while (channel.under_way < window && channel.head < queue.size()) {
    const StepId id = queue[channel.head];
    if (waiting_[static_cast<std::size_t>(id)] > 0) return;
    ready_.push_back(id);
    ++channel.head;
    ++channel.under_way;
  }
}

StepId Progress::next() {
  if (taken_ == ready_.size()) return no_step;
  const StepId id = ready_[taken_++];
  started_[static_cast<std::size_t>(id)] = 1;
  return id;
}

void Progress::complete(StepId id) {
  ++completed_;
  const std::int32_t channel = dependencies_->channel(id);
  if (channel >= 0) {
    --channels_[static_cast<std::size_t>(channel)].under_way;
    advance(channel);
  }
  for (const StepId successor : dependencies_->successors(id)) {
    if (--waiting_[static_cast<std::size_t>(successor)] == 0) unblock(successor);
  }
}

}  // namespace tombolo
