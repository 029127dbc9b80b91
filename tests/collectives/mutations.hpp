#pragma once

#include <algorithm>
#include <functional>
#include <string>
#include <vector>

#include <tombolo/collectives/plan/schedule.hpp>

namespace tombolo::test {

/// The schedules of all ranks with one thing broken in one step of one rank.
struct Mutant {
  std::string what;
  std::vector<Schedule> schedules;
};

/// A schedule without one step: what waited for it waits for what it waited for.
inline Schedule without(const Schedule& schedule, StepId gone) {
  Schedule::Parts parts = schedule.parts();
  std::vector<StepId> after;
  parts.after.clear();
  for (StepId id = 0; id < schedule.size(); ++id) {
    after.clear();
    for (const StepId before : schedule.after(schedule.step(id))) {
      if (before != gone) {
        after.push_back(before);
      } else {
        for (const StepId inherited : schedule.after(schedule.step(gone))) after.push_back(inherited);
      }
    }
    for (StepId& before : after) before -= before > gone ? 1 : 0;
    parts.steps[static_cast<std::size_t>(id)].after = {static_cast<std::int32_t>(parts.after.size()),
                                                       static_cast<std::int32_t>(after.size())};
    parts.after.insert(parts.after.end(), after.begin(), after.end());
  }
  parts.steps.erase(parts.steps.begin() + gone);
  return Schedule(std::move(parts));
}

/// Calls visit with every mutant of one kind. Kinds: "wrong peer", "dropped step", "dropped message", "moved range",
/// "shorter range", "forgotten order", "swapped order", "swapped messages".
inline void for_each_mutant(const std::vector<Schedule>& original, const std::function<void(const Mutant&)>& visit) {
  using Kind = Step::Kind;
  const auto ranks = static_cast<Rank>(original.size());
  const auto with = [&](Rank rank, StepId id, const std::string& what,
                        const std::function<void(Schedule::Parts&, Step&)>& change) {
    Mutant mutant{what + " at rank " + std::to_string(rank) + " step " + std::to_string(id), original};
    Schedule::Parts parts = original[static_cast<std::size_t>(rank)].parts();
    change(parts, parts.steps[static_cast<std::size_t>(id)]);
    mutant.schedules[static_cast<std::size_t>(rank)] = Schedule(std::move(parts));
    visit(mutant);
  };
  const auto move_piece = [](std::int64_t by, Step::Span span) {
    return
        [by, span](Schedule::Parts& parts, Step&) { parts.pieces[static_cast<std::size_t>(span.first)].offset += by; };
  };

  for (Rank rank = 0; rank < ranks; ++rank) {
    const Schedule& schedule = original[static_cast<std::size_t>(rank)];
    for (StepId id = 0; id < schedule.size(); ++id) {
      const Step& step = schedule.step(id);
      if (step.is_message()) {
        with(rank, id, "wrong peer", [ranks](auto&, Step& s) { s.peer = (s.peer + 1) % ranks; });
      }
      Mutant dropped{"dropped step at rank " + std::to_string(rank) + " step " + std::to_string(id), original};
      dropped.schedules[static_cast<std::size_t>(rank)] = without(schedule, id);
      visit(dropped);
      for (const std::int64_t by : {-1, 1}) {
        if (step.from.size > 0) with(rank, id, "moved range read", move_piece(by, step.from));
        if (step.into.size > 0) with(rank, id, "moved range written", move_piece(by, step.into));
      }
      if (step.into.size > 0) {
        with(rank, id, "shorter range",
             [](Schedule::Parts& parts, Step& s) { --parts.pieces[static_cast<std::size_t>(s.into.first)].count; });
      }
      if (step.after.size > 0) {
        const StepId before = schedule.after(step).back();
        with(rank, id, "swapped order", [before, id](Schedule::Parts& parts, Step& s) {
          // The earlier step now waits for the later one.
          s.after = {};
          parts.after.push_back(id);
          parts.steps[static_cast<std::size_t>(before)].after = {static_cast<std::int32_t>(parts.after.size()) - 1, 1};
        });
        if (step.count > 0) with(rank, id, "forgotten order", [](auto&, Step& s) { s.after = {}; });
      }
      for (StepId other = 0; other < id && step.kind == Kind::receive; ++other) {
        const Step& earlier = schedule.step(other);
        if (earlier.kind != Kind::receive || earlier.peer != step.peer || earlier.count != step.count) continue;
        with(rank, id, "swapped messages", [other](Schedule::Parts& parts, Step& s) {
          std::swap(s.tag, parts.steps[static_cast<std::size_t>(other)].tag);
        });
        break;
      }
    }
  }
}

}  // namespace tombolo::test
