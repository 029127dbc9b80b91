#include <algorithm>
#include <numeric>
#include <stdexcept>

#include <tombolo/framework/mpi/program/check_mode.hpp>
#include <tombolo/framework/mpi/program/runner.hpp>
#include <tombolo/framework/program/declare/tasks/task_rules.hpp>

namespace tombolo {

namespace {

std::vector<std::size_t> in_turn(std::size_t actions) {
  std::vector<std::size_t> order(actions);
  std::iota(order.begin(), order.end(), std::size_t{0});
  return order;
}

}  // namespace

Runner::Runner(const RunContext& run) : run_(run), sections_(sections_of(run.body.declared)) {
  Arrangement arrangement = run.arrangement;
  arrangement.overlaps = arrangement.overlaps && run.check == nullptr;
  for (const Section& section : sections_) {
    SectionActions& of_section = of_sections_.emplace_back();
    of_section.actions = actions_of(run.body.declared, arrangement, section.first, section.end);
    for (const Action& action : of_section.actions) of_section.runners.push_back(runner_of(run, action));
  }
}

void Runner::forget() {
  for (SectionActions& section : of_sections_) {
    for (std::unique_ptr<TaskRunner>& runner : section.runners) runner.reset();
  }
}

TaskRunner& Runner::runner(std::size_t action) {
  std::unique_ptr<TaskRunner>& known = now_->runners[action];
  if (known == nullptr) known = runner_of(run_, now_->actions[action]);
  return *known;
}

Activity Runner::activity(std::size_t action) const {
  return rules(run_.body.task(now_->actions[action].task).kind).activity();
}

// Uses one clock reading for the end of an action and the start of the next, as the clock is expensive in short passes.
void Runner::end(std::size_t action) {
  complete_[action] = true;
  done_[action].end = run_.recorder.looked();
}

bool Runner::may_begin(std::size_t action) const {
  const std::vector<int>& after = now_->actions[action].after;
  return std::all_of(after.begin(), after.end(),
                     [&](int before) { return complete_[static_cast<std::size_t>(before)]; });
}

void Runner::in_order() {
  const std::size_t all = now_->actions.size();
  for (const std::size_t i : run_.check != nullptr ? run_.check->order(now_->actions) : in_turn(all)) {
    start(i);
    runner(i).run({});
    if (activity(i) != Activity::computation) look();
    end(i);
  }
}

void Runner::begin_talk() {
  while (!under_way_ && next_talk_ < talks_.size() && may_begin(talks_[next_talk_])) {
    start(talks_[next_talk_]);
    under_way_ = runner(talks_[next_talk_]).begin();
    look();
    if (!under_way_) end(talks_[next_talk_++]);
  }
}

void Runner::end_talk() {
  const std::size_t number = talks_[next_talk_++];
  runner(number).finish();
  under_way_.reset();
  look();
  end(number);
}

bool Runner::see_to_talk() {
  if (under_way_ && under_way_->test()) end_talk();
  begin_talk();
  look();
  return static_cast<bool>(under_way_);
}

void Runner::in_lanes() {
  std::vector<std::size_t> computations;
  talks_.clear();
  next_talk_ = 0;
  for (std::size_t i = 0; i < now_->actions.size(); ++i) {
    (activity(i) == Activity::computation ? computations : talks_).push_back(i);
  }
  std::size_t next = 0;
  while (next < computations.size() || next_talk_ < talks_.size()) {
    begin_talk();
    if (next < computations.size() && may_begin(computations[next])) {
      start(computations[next]);
      runner(computations[next]).run(under_way_ ? [this] { return see_to_talk(); } : TaskRunner::Between());
      end(computations[next++]);
    } else if (under_way_) {
      under_way_->wait();
      end_talk();
    } else if (next_talk_ < talks_.size() || next < computations.size()) {
      throw std::logic_error("actions of a program that wait for each other");
    }
  }
}

void Runner::pass(std::size_t section) {
  now_ = &of_sections_[section];
  look();
  done_.assign(now_->actions.size(), {});
  complete_.assign(now_->actions.size(), false);
  for (std::size_t i = 0; i < done_.size(); ++i) {
    done_[i].task = now_->actions[i].task;
    done_[i].panel = now_->actions[i].panel;
  }
  if (run_.check != nullptr) run_.check->next_pass();
  if (run_.arrangement.overlaps && run_.check == nullptr) {
    in_lanes();
  } else {
    in_order();
  }
  run_.recorder.note(sections_[section], now_->actions, done_);
}

}  // namespace tombolo
