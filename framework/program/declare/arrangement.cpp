#include <algorithm>

#include <tombolo/framework/program/declare/arrangement.hpp>
#include <tombolo/framework/program/declare/tasks/task_rules.hpp>

namespace tombolo {

namespace {

const DeclaredTask& task_of(const Declaration& program, int task) {
  return program.tasks[static_cast<std::size_t>(task)];
}

struct Drafted {
  Action action;
  int along = DeclaredTask::none;  // domain whose panels divide the task
  Touches touches;
  int place = 0;  // position among the tasks of the domain
};

// True if two tasks depend on each other panel by panel only. A replicated whole is complete after all panels.
bool meet_in_panels(const Declaration& program, const Drafted& one, const Drafted& other) {
  if (one.along == DeclaredTask::none || one.along != other.along) return false;
  const auto shares_whole = [&](const std::vector<Touch>& touched) {
    return std::any_of(touched.begin(), touched.end(), [&](const Touch& touch) {
      return touch.aspect == Aspect::whole && program.arrays[static_cast<std::size_t>(touch.array)].everywhere;
    });
  };
  const bool all_of_it = shares_whole(one.touches.writes) || shares_whole(other.touches.writes);
  return !all_of_it;
}

// Returns the actions in the order of tasks and panels, with their accesses.
std::vector<Drafted> draft(const Declaration& program, const Arrangement& arrangement, int first, int end) {
  std::vector<Drafted> drafted;
  std::vector<int> places(program.slices.size(), 0);
  for (int number = first; number < end; ++number) {
    const DeclaredTask& task = task_of(program, number);
    Drafted next;
    next.action.task = number;
    next.touches = touches(program, task);
    if (const int panels = panels_of(program, arrangement, task); panels > 1) {
      next.along = rules(task.kind).cut_along(program, task);
      next.place = places[static_cast<std::size_t>(next.along)]++;
      for (int panel = 0; panel < panels; ++panel) {
        next.action.panel = panel;
        drafted.push_back(next);
      }
      continue;
    }
    if (arrangement.overlaps && rules(task.kind).computes_items() && !task.around.empty() &&
        !goes_in_order(program, task)) {
      Drafted inner = next;
      inner.action.portion = Action::Portion::inner;
      std::erase_if(inner.touches.reads, [](const Touch& touch) { return touch.aspect == Aspect::halo; });
      drafted.push_back(std::move(inner));
      next.action.portion = Action::Portion::border;
    }
    drafted.push_back(std::move(next));
  }
  return drafted;
}

bool has_to_wait(const Declaration& program, const Drafted& later, const Drafted& earlier) {
  if (later.action.task == earlier.action.task) return false;
  if (!conflict(earlier.touches, later.touches)) return false;
  return !meet_in_panels(program, earlier, later) || earlier.action.panel == later.action.panel;
}

// Priority of a ready action: the lowest goes first. A panel is scattered while the one before is computed.
double turn(const Drafted& drafted) {
  constexpr double each_stage = 0.75;
  return drafted.along == DeclaredTask::none ? 0 : drafted.action.panel + each_stage * drafted.place;
}

}  // namespace

Rank Arrangement::member(Rank of_session) const {
  const auto at = std::lower_bound(members.begin(), members.end(), of_session);
  return at != members.end() && *at == of_session ? static_cast<Rank>(at - members.begin()) : -1;
}

bool can_be_panels(const Declaration& program, int slices) {
  const auto is_of = [&](int array) {
    return array != DeclaredTask::none && program.arrays[static_cast<std::size_t>(array)].slices == slices;
  };
  for (const DeclaredArray& array : program.arrays) {
    if (array.slices == slices && array.halo > 0) return false;
  }
  for (const DeclaredTask& task : program.tasks) {
    const bool about = task.slices == slices || is_of(task.array) || is_of(task.to);
    if (about && task.loop != DeclaredTask::none) return false;
    if (!rules(task.kind).allows_panels(program, task, slices)) return false;
  }
  return true;
}

std::vector<Action> actions_of(const Declaration& program, const Arrangement& arrangement, int first, int end) {
  const std::vector<Drafted> drafted = draft(program, arrangement, first, end);
  const std::size_t all = drafted.size();
  std::vector<std::vector<std::size_t>> waits(all);
  for (std::size_t later = 0; later < all; ++later) {
    for (std::size_t earlier = 0; earlier < later; ++earlier) {
      if (has_to_wait(program, drafted[later], drafted[earlier])) waits[later].push_back(earlier);
    }
  }
  std::vector<int> placed(all, -1);  // position of each action
  std::vector<Action> actions;
  while (actions.size() < all) {
    std::size_t best = all;
    for (std::size_t i = 0; i < all; ++i) {
      if (placed[i] >= 0) continue;
      const bool ready = std::all_of(waits[i].begin(), waits[i].end(), [&](std::size_t j) { return placed[j] >= 0; });
      if (ready && (best == all || (arrangement.overlaps && turn(drafted[i]) < turn(drafted[best])))) best = i;
    }
    placed[best] = static_cast<int>(actions.size());
    actions.push_back(drafted[best].action);
    for (const std::size_t j : waits[best]) actions.back().after.push_back(placed[j]);
  }
  return actions;
}

std::vector<Slice> slices_of(const Declaration& program, const Arrangement& arrangement, const Action& action,
                             Rank member) {
  const DeclaredTask& task = task_of(program, action.task);
  const Slice all = arrangement.division(task.slices).slice(action.panel, member);
  if (action.portion == Action::Portion::all) return {all};
  std::int64_t halo = 0;
  for (const int array : task.around) {
    halo = std::max(halo, program.arrays[static_cast<std::size_t>(array)].halo);
  }
  const std::int64_t top = std::min(halo, all.count);
  const std::int64_t bottom = std::min(halo, all.count - top);
  const std::int64_t inner = all.count - top - bottom;
  if (action.portion == Action::Portion::inner) return {{all.first + top, inner, all.local + top}};
  return {{all.first, top, all.local}, {all.first + top + inner, bottom, all.local + top + inner}};
}

}  // namespace tombolo
