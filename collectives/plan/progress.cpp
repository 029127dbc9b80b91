#include <tombolo/collectives/plan/progress.hpp>

namespace tombolo {

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
