#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <tombolo/framework/program/costs.hpp>

namespace tombolo {

/// When each member begins and ends an action.
struct ActionTimes {
  std::vector<Picoseconds> start;
  std::vector<Picoseconds> end;
};

/// Runs actions as every member does: one after the other; where collectives overlap with computation, each kind one
/// after the other, an action once those are done that it waits for. Members begin at `start`; what comes back is by
/// action.
std::vector<ActionTimes> times_of(const Declaration& program, std::span<const Action> actions, bool overlaps,
                                  Costs& costs, std::span<const Picoseconds> start);

/// What is expected of a task, all its panels, and all that a loop does in one pass of it.
struct TaskOutlook {
  Picoseconds predicted = 0;  ///< that it adds: from the latest end of what came before to its own
  Picoseconds bound = 0;
};

/// What is expected of a program.
struct Outlook {
  std::vector<TaskOutlook> tasks;
  Picoseconds makespan = 0;                        ///< with loops[i] passes of each loop
  std::vector<std::vector<ActionTimes>> sections;  ///< of each section, in one pass
};

/// So many times as long; `never` where that is longer than times can be.
Picoseconds times_over(Picoseconds each, std::int64_t times);

/// Part of a program that is done in one go: tasks between loops, or those of a loop.
struct Section {
  int first = 0;
  int end = 0;
  int loop = DeclaredTask::none;
};
std::vector<Section> sections_of(const Declaration& program);

/// `passes` are those of each loop.
Outlook outlook(const Declaration& program, const Arrangement& arrangement, Costs& costs,
                std::span<const std::int64_t> passes);

/// What each task adds to the time of a section when actions end so, latest first of all ranks: by task, from
/// `section.first` on. Times of any unit.
template <class Time>
std::vector<Time> added(std::span<const Action> actions, std::span<const Time> ends, const Section& section,
                        Time begin) {
  std::vector<Time> of_tasks(static_cast<std::size_t>(section.end - section.first), Time{});
  Time front = begin;
  for (std::size_t i = 0; i < actions.size(); ++i) {
    if (ends[i] <= front) continue;
    of_tasks[static_cast<std::size_t>(actions[i].task - section.first)] += ends[i] - front;
    front = ends[i];
  }
  return of_tasks;
}

}  // namespace tombolo
