#pragma once

#include <utility>
#include <vector>

#include <tombolo/collectives/mapping/group_schedule.hpp>

namespace tombolo {

/// Groups that a message has reached, one after the other: A in the papers, and those that it has not, B. A sender is
/// free again a gap after it began, a receiver once it has the message (RT).
class ReachedGroups {
 public:
  explicit ReachedGroups(const GroupProblem& problem)
      : problem_(problem), ready_(size(), 0), has_(size(), false), tree_(size()) {
    has_[static_cast<std::size_t>(problem.root)] = true;
  }

  bool has(int group) const { return has_[static_cast<std::size_t>(group)]; }
  Picoseconds ready(int group) const { return ready_[static_cast<std::size_t>(group)]; }
  /// When `to` would have it from `from`: RT_i + g_ij + L_ij.
  Picoseconds arrival(int from, int to) const { return plus(ready(from), problem_.message(from, to).whole()); }

  void send(int from, int to) {
    const Picoseconds there = arrival(from, to);
    ready_[static_cast<std::size_t>(from)] = plus(ready(from), problem_.message(from, to).gap);
    ready_[static_cast<std::size_t>(to)] = there;
    has_[static_cast<std::size_t>(to)] = true;
    tree_[static_cast<std::size_t>(from)].push_back(to);
  }

  /// The pair of one that has it and one that lacks it with the least score(from, to), the first of several; {-1, -1}
  /// where all have it.
  template <class Score>
  std::pair<int, int> least(Score score) const {
    std::pair<int, int> best{-1, -1};
    Picoseconds least = never;
    for (int from = 0; from < problem_.groups; ++from) {
      for (int to = 0; has(from) && to < problem_.groups; ++to) {
        if (has(to)) continue;
        const Picoseconds now = score(from, to);
        if (best.first >= 0 && now >= least) continue;
        best = {from, to};
        least = now;
      }
    }
    return best;
  }

  /// Who lets `to` have it first.
  int earliest_sender(int to) const {
    int best = -1;
    for (int from = 0; from < problem_.groups; ++from) {
      if (has(from) && (best < 0 || arrival(from, to) < arrival(best, to))) best = from;
    }
    return best;
  }

  GroupTree tree() && { return std::move(tree_); }

 private:
  std::size_t size() const { return static_cast<std::size_t>(problem_.groups); }

  const GroupProblem& problem_;
  std::vector<Picoseconds> ready_;
  std::vector<bool> has_;
  GroupTree tree_;
};

/// Reaches all groups, each time by the pair that scores least: score(reached, from, to).
template <class Score>
GroupTree reach_all(const GroupProblem& problem, Score score) {
  ReachedGroups reached(problem);
  for (int more = problem.groups - 1; more > 0; --more) {
    const auto [from, to] = reached.least([&](int a, int b) { return score(reached, a, b); });
    reached.send(from, to);
  }
  return std::move(reached).tree();
}

}  // namespace tombolo
