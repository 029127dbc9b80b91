#include <tombolo/collectives/progress.hpp>

namespace tombolo {

Progress::Progress(const Schedule& schedule)
    : schedule_(&schedule),
      waiting_(schedule.steps().size()),
      first_(schedule.steps().size() + 1),
      lanes_(schedule.windows().size()),
      started_(schedule.steps().size()) {
  for (const Step& step : schedule.steps()) {
    for (const StepId before : schedule.after(step)) ++first_[static_cast<std::size_t>(before) + 1];
  }
  for (std::size_t s = 1; s < first_.size(); ++s) first_[s] += first_[s - 1];
  successors_.resize(static_cast<std::size_t>(first_.back()));
  std::vector<std::int32_t> fill(first_.begin(), first_.end() - 1);
  for (StepId id = 0; id < schedule.size(); ++id) {
    const Step& step = schedule.step(id);
    const auto after = schedule.after(step);
    for (const StepId before : after) {
      successors_[static_cast<std::size_t>(fill[static_cast<std::size_t>(before)]++)] = id;
    }
    waiting_[static_cast<std::size_t>(id)] = static_cast<std::int32_t>(after.size());
    if (schedule.window(step) > 0) {
      lanes_[static_cast<std::size_t>(step.lane)].queue.push_back(id);
    }
  }
  ready_.reserve(schedule.steps().size());
  for (StepId id = 0; id < schedule.size(); ++id) {
    if (waiting_[static_cast<std::size_t>(id)] == 0) unblock(id);
  }
}

void Progress::unblock(StepId id) {
  const Step& step = schedule_->step(id);
  const int window = schedule_->window(step);
  if (window == 0) {
    ready_.push_back(id);
  } else {
    advance(lanes_[static_cast<std::size_t>(step.lane)], window);
  }
}

void Progress::advance(Lane& lane, int window) {
  while (lane.under_way < window && lane.head < lane.queue.size()) {
    const StepId id = lane.queue[lane.head];
    if (waiting_[static_cast<std::size_t>(id)] > 0) return;
    ready_.push_back(id);
    ++lane.head;
    ++lane.under_way;
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
  const Step& step = schedule_->step(id);
  const int window = schedule_->window(step);
  if (window > 0) {
    Lane& lane = lanes_[static_cast<std::size_t>(step.lane)];
    --lane.under_way;
    advance(lane, window);
  }
  const auto begin = static_cast<std::size_t>(first_[static_cast<std::size_t>(id)]);
  const auto end = static_cast<std::size_t>(first_[static_cast<std::size_t>(id) + 1]);
  for (std::size_t s = begin; s < end; ++s) {
    if (--waiting_[static_cast<std::size_t>(successors_[s])] == 0) unblock(successors_[s]);
  }
}

}  // namespace tombolo
