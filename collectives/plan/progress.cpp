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

Dependencies::Dependencies(std::span<const Schedule> schedules) {
  std::size_t steps = 0;
  std::size_t windows = 0;
  for (const Schedule& schedule : schedules) {
    steps += schedule.steps().size();
    windows += schedule.windows().size();
  }
  waiting_.reserve(steps);
  channel_.reserve(steps);
  windows_.reserve(windows);
  first_successor_.resize(steps + 1);
  first_queued_.resize(windows + 1);
  for (const Schedule& schedule : schedules) {
    const auto first = static_cast<StepId>(waiting_.size());
    const auto first_channel = static_cast<std::int32_t>(windows_.size());
    for (const Step& step : schedule.steps()) {
      if (step.after.size == 0) at_first_.push_back(static_cast<StepId>(waiting_.size()));
      waiting_.push_back(step.after.size);
      for (const StepId before : schedule.after(step)) ++first_successor_[static_cast<std::size_t>(first + before) + 1];
      channel_.push_back(schedule.window(step) == 0 ? -1 : first_channel + step.channel);
      if (channel_.back() >= 0) ++first_queued_[static_cast<std::size_t>(channel_.back()) + 1];
    }
    windows_.insert(windows_.end(), schedule.windows().begin(), schedule.windows().end());
  }
  std::vector<std::int32_t> successor = begin_parts(first_successor_);
  std::vector<std::int32_t> queued = begin_parts(first_queued_);
  successors_.resize(static_cast<std::size_t>(first_successor_.back()));
  queued_.resize(static_cast<std::size_t>(first_queued_.back()));
  StepId id = 0;
  for (const Schedule& schedule : schedules) {
    const StepId first = id;
    for (const Step& step : schedule.steps()) {
      for (const StepId before : schedule.after(step)) {
        successors_[static_cast<std::size_t>(successor[static_cast<std::size_t>(first + before)]++)] = id;
      }
      const std::int32_t in = channel(id);
      if (in >= 0) queued_[static_cast<std::size_t>(queued[static_cast<std::size_t>(in)]++)] = id;
      ++id;
    }
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
