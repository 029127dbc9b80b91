#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <tombolo/framework/program/declare/declaration.hpp>
#include <tombolo/framework/program/plan/costs.hpp>

namespace tombolo {

/// Start and end of an action on each member.
struct ActionTimes {
  std::vector<Picoseconds> start;
  std::vector<Picoseconds> end;
};

/// Returns the times of each action in a simulated run of all members, which begin at `start`. Without overlap, actions
/// run in sequence. With overlap, computations run in sequence, and so do collectives but opposite ones
/// (are_opposite()), each action after its dependences; a collective that is over while a member computes is so for it
/// after one more piece of the computation.
std::vector<ActionTimes> times_of(const Declaration& program, std::span<const Action> actions, bool overlaps,
                                  Costs& costs, std::span<const Picoseconds> start);

/// Prediction of a task: of all panels, and in a loop of one pass.
struct TaskOutlook {
  Picoseconds predicted = 0;  ///< added time: from the latest end of earlier actions to its own end
  Picoseconds bound = 0;
};

/// Prediction of a program.
struct Outlook {
  std::vector<TaskOutlook> tasks;
  Picoseconds makespan = 0;                        ///< with the given passes of each loop
  std::vector<std::vector<ActionTimes>> sections;  ///< by section and action, in one pass
};

/// Returns `each` multiplied by `times`; `never` on overflow.
Picoseconds times_over(Picoseconds each, std::int64_t times);

/// Predicts a run with `passes` passes of each loop.
Outlook outlook(const Declaration& program, const Arrangement& arrangement, Costs& costs,
                std::span<const std::int64_t> passes);

/// Returns the time that each task from `section.first` on adds to a section, from the latest end of each action over
/// all ranks. Any unit of time.
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
