#include <algorithm>
#include <numeric>
#include <optional>
#include <stdexcept>
#include <utility>

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

// What is under way must be opposite to it.
bool Runner::may_talk(std::size_t action) {
  if (!may_begin(action)) return false;
  const Request* const its = under_way_.empty() ? nullptr : runner(action).request();
  return std::ranges::all_of(under_way_, [&](const Talk& talk) {
    const Request* const other = runner(talk.action).request();
    return its != nullptr && other != nullptr && are_opposite(*its, *other);
  });
}

void Runner::begin_talks() {
  while (next_talk_ < talks_.size() && may_talk(talks_[next_talk_])) {
    const std::size_t action = talks_[next_talk_++];
    start(action);
    std::optional<Pending> pending = runner(action).begin();
    look();
    if (pending) {
      under_way_.push_back({action, std::move(*pending)});
    } else {
      end(action);
    }
  }
}

void Runner::end_talk(std::size_t talk) {
  const std::size_t action = under_way_[talk].action;
  under_way_.erase(under_way_.begin() + static_cast<std::ptrdiff_t>(talk));
  runner(action).finish();
  look();
  end(action);
}

bool Runner::see_to_talks() {
  for (std::size_t talk = 0; talk < under_way_.size();) {
    if (under_way_[talk].pending.test()) {
      end_talk(talk);
    } else {
      ++talk;
    }
  }
  begin_talks();
  look();
  return !under_way_.empty();
}

void Runner::in_lanes() {
  std::vector<std::size_t> computations;
  talks_.clear();
  next_talk_ = 0;
  for (std::size_t i = 0; i < now_->actions.size(); ++i) {
    (activity(i) == Activity::computation ? computations : talks_).push_back(i);
  }
  std::size_t next = 0;
  while (next < computations.size() || next_talk_ < talks_.size() || !under_way_.empty()) {
    begin_talks();
    if (next < computations.size() && may_begin(computations[next])) {
      start(computations[next]);
      runner(computations[next]).run(under_way_.empty() ? TaskRunner::Between() : [this] { return see_to_talks(); });
      end(computations[next++]);
    } else if (!under_way_.empty()) {
      std::vector<Pending*> all;
      for (Talk& talk : under_way_) all.push_back(&talk.pending);
      wait_for_any(all);
      see_to_talks();
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
