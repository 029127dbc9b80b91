#include <algorithm>
#include <optional>

#include <tombolo/framework/program/declare/tasks/task_rules.hpp>
#include <tombolo/framework/program/plan/outlook.hpp>

namespace tombolo {

namespace {

Picoseconds latest(std::span<const Picoseconds> times) {
  return *std::max_element(times.begin(), times.end());
}

// Replaces times by the later ones of each rank.
void later_of(std::vector<Picoseconds>& times, std::span<const Picoseconds> others) {
  for (std::size_t r = 0; r < times.size(); ++r) times[r] = std::max(times[r], others[r]);
}

}  // namespace

std::vector<ActionTimes> times_of(const Declaration& program, std::span<const Action> actions, bool overlaps,
                                  Costs& costs, std::span<const Picoseconds> start) {
  std::vector<Picoseconds> computing(start.begin(), start.end());  // end of the last computation
  std::vector<Picoseconds> began = computing;                      // of the last computation
  std::vector<Picoseconds> piece(start.size(), 0);
  struct Talks {
    std::optional<Request> like;
    std::vector<Picoseconds> end;
  };
  std::vector<Talks> talking;                      // the last collectives by what may go beside them
  std::vector<Picoseconds> last_talk = computing;  // its start: collectives begin in order
  std::vector<ActionTimes> times;
  for (const Action& action : actions) {
    const bool talks = program.tasks[static_cast<std::size_t>(action.task)].communicates();
    ActionTimes now{talks && overlaps ? last_talk : computing, {}};
    const std::optional<Plan> plan = talks ? costs.plan(action) : std::nullopt;
    const std::optional<Request> its = plan ? std::optional(plan->request()) : std::nullopt;
    const auto goes_beside = [&](const Talks& others) {
      return its && others.like && are_opposite(*its, *others.like);
    };
    for (const Talks& others : talking) {
      if (overlaps && (!talks || goes_beside(others))) continue;
      later_of(now.start, others.end);
    }
    for (const int before : action.after) {
      later_of(now.start, times[static_cast<std::size_t>(before)].end);
    }
    now.end = costs.ends(action, plan, now.start);
    if (overlaps && !talks) {
      began = now.start;
      piece = costs.pieces(action, now.start, now.end);
    } else if (overlaps) {
      // A rank that computes sees that messages are there when the next piece is done.
      for (std::size_t r = 0; r < now.end.size(); ++r) {
        if (began[r] >= now.end[r] || now.end[r] >= computing[r]) continue;
        now.end[r] = std::min(plus(now.end[r], piece[r]), computing[r]);
      }
    }
    if (!talks) {
      computing = now.end;
    } else {
      last_talk = now.start;
      std::erase_if(talking, [&](const Talks& others) { return !goes_beside(others); });
      talking.push_back({its, now.end});
    }
    times.push_back(std::move(now));
  }
  return times;
}

Picoseconds times_over(Picoseconds each, std::int64_t times) {
  return times > 0 && each > never / times ? never : each * times;
}

Outlook outlook(const Declaration& program, const Arrangement& arrangement, Costs& costs,
                std::span<const std::int64_t> passes) {
  Outlook result;
  result.tasks.resize(program.tasks.size());
  for (std::size_t task = 0; task < program.tasks.size(); ++task) {
    result.tasks[task].bound = costs.bound(static_cast<int>(task));
  }
  std::vector<Picoseconds> now(static_cast<std::size_t>(arrangement.ranks()), 0);
  for (const Section& section : sections_of(program)) {
    const std::vector<Action> actions = actions_of(program, arrangement, section.first, section.end);
    const auto pass = [&](std::span<const Picoseconds> begin) {
      return times_of(program, actions, arrangement.overlaps, costs, begin);
    };
    std::vector<ActionTimes> times = pass(now);
    Picoseconds begin = latest(now);
    const auto ends = [&] {
      std::vector<Picoseconds> all;
      for (const ActionTimes& action : times) all.push_back(latest(action.end));
      return all;
    };
    const auto last = [&](std::span<const Picoseconds> before) {
      std::vector<Picoseconds> of_members(before.begin(), before.end());
      for (const ActionTimes& action : times) {
        for (std::size_t r = 0; r < of_members.size(); ++r) of_members[r] = std::max(of_members[r], action.end[r]);
      }
      return of_members;
    };
    std::int64_t passed = 1;
    if (section.loop != DeclaredTask::none) {
      // The second pass represents all later passes, as members begin it at the usual offsets.
      now = last(now);
      begin = latest(now);
      if (program.loops[static_cast<std::size_t>(section.loop)].stops) now = costs.told(now);
      times = pass(now);
      passed = passes[static_cast<std::size_t>(section.loop)];
    }
    const std::vector<Picoseconds> latest_ends = ends();
    const auto adds = added<Picoseconds>(actions, latest_ends, section, begin);
    for (std::size_t i = 0; i < adds.size(); ++i) {
      TaskOutlook& task = result.tasks[static_cast<std::size_t>(section.first) + i];
      task.predicted = adds[i];
      result.makespan = plus(result.makespan, times_over(adds[i], passed));
    }
    now = last(now);
    if (latest(now) == never) result.makespan = never;
    result.sections.push_back(std::move(times));
  }
  return result;
}

}  // namespace tombolo
