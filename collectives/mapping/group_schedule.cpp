#include <algorithm>
#include <utility>

#include <tombolo/collectives/mapping/group_schedule.hpp>
#include <tombolo/collectives/topology/tree.hpp>

namespace tombolo {

namespace {

// State of a schedule: set A of the papers has the message, set B lacks it. A sender is ready again one gap after its
// start, a receiver once the message has arrived (RT).
class ReachedGroups {
 public:
  explicit ReachedGroups(const GroupProblem& problem)
      : problem_(problem), ready_(size(), 0), has_(size(), false), tree_(size()) {
    has_[static_cast<std::size_t>(problem.root)] = true;
  }

  bool has(int group) const { return has_[static_cast<std::size_t>(group)]; }
  Picoseconds ready(int group) const { return ready_[static_cast<std::size_t>(group)]; }
  // Arrival time of a message from `from` at `to`: RT_i + g_ij + L_ij.
  Picoseconds arrival(int from, int to) const { return plus(ready(from), problem_.message(from, to).whole()); }

  void send(int from, int to) {
    const Picoseconds there = arrival(from, to);
    ready_[static_cast<std::size_t>(from)] = plus(ready(from), problem_.message(from, to).gap);
    ready_[static_cast<std::size_t>(to)] = there;
    has_[static_cast<std::size_t>(to)] = true;
    tree_[static_cast<std::size_t>(from)].push_back(to);
  }

  // Returns the pair (group of A, group of B) with the least score(from, to), the first among equals; {-1, -1} if B is
  // empty.
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

  // Returns the group of A with the earliest arrival at `to`.
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

// Reaches all groups; each step sends over the pair with the least score(reached, from, to).
template <class Score>
GroupTree reach_all(const GroupProblem& problem, Score score) {
  ReachedGroups reached(problem);
  for (int more = problem.groups - 1; more > 0; --more) {
    const auto [from, to] = reached.least([&](int a, int b) { return score(reached, a, b); });
    reached.send(from, to);
  }
  return std::move(reached).tree();
}

// ECEF with one message of lookahead: least RT_i + g_ij + L_ij + F_j. F_j is the least (`least`) or the largest
// onward(j, k) over all other groups k of B, 0 if there is no other.
template <class Onward>
GroupTree reach_all_looking_ahead(const GroupProblem& problem, bool least, Onward onward) {
  ReachedGroups reached(problem);
  std::vector<Picoseconds> ahead(static_cast<std::size_t>(problem.groups));
  for (int more = problem.groups - 1; more > 0; --more) {
    for (int j = 0; j < problem.groups; ++j) {
      if (reached.has(j)) continue;
      Picoseconds f = least && more > 1 ? never : 0;
      for (int k = 0; k < problem.groups; ++k) {
        if (k == j || reached.has(k)) continue;
        f = least ? std::min(f, onward(j, k)) : std::max(f, onward(j, k));
      }
      ahead[static_cast<std::size_t>(j)] = f;
    }
    const auto [from, to] =
        reached.least([&](int i, int j) { return plus(reached.arrival(i, j), ahead[static_cast<std::size_t>(j)]); });
    reached.send(from, to);
  }
  return std::move(reached).tree();
}

GroupTree flat(const GroupProblem& problem) {
  GroupTree tree(static_cast<std::size_t>(problem.groups));
  for (int group = 0; group < problem.groups; ++group) {
    if (group != problem.root) tree[static_cast<std::size_t>(problem.root)].push_back(group);
  }
  return tree;
}

GroupTree first_edge_first(const GroupProblem& problem) {
  return reach_all(problem, [&](const ReachedGroups&, int from, int to) { return problem.message(from, to).latency; });
}

GroupTree early_completion(const GroupProblem& problem) {
  return reach_all(problem, [](const ReachedGroups& reached, int from, int to) { return reached.arrival(from, to); });
}

GroupTree nearest_ahead(const GroupProblem& problem) {
  return reach_all_looking_ahead(problem, true, [&](int j, int k) { return problem.message(j, k).whole(); });
}

template <bool least>
GroupTree finish_ahead(const GroupProblem& problem) {
  return reach_all_looking_ahead(
      problem, least, [&](int j, int k) { return plus(problem.message(j, k).whole(), problem.inside_of(k)); });
}

GroupTree bottom_up(const GroupProblem& problem) {
  ReachedGroups reached(problem);
  for (int more = problem.groups - 1; more > 0; --more) {
    std::pair<int, int> latest{-1, -1};
    Picoseconds finish = -1;
    for (int to = 0; to < problem.groups; ++to) {
      if (reached.has(to)) continue;
      const int from = reached.earliest_sender(to);
      const Picoseconds best = plus(reached.arrival(from, to), problem.inside_of(to));
      if (best <= finish) continue;
      finish = best;
      latest = {from, to};
    }
    reached.send(latest.first, latest.second);
  }
  return std::move(reached).tree();
}

GroupTree binomial(const GroupProblem& problem) {
  GroupTree tree(static_cast<std::size_t>(problem.groups));
  const auto group_at = [&](int place) { return (problem.root + place) % problem.groups; };
  const auto serve = [&](const auto& self, Subtree whole) -> void {
    for (const Subtree& child : binomial_tree().children(whole)) {
      tree[static_cast<std::size_t>(group_at(whole.top))].push_back(group_at(child.top));
      self(self, child);
    }
  };
  serve(serve, {0, problem.groups});
  return tree;
}

GroupTree fastest(const GroupProblem& problem) {
  GroupTree best;
  Picoseconds least = never;
  for (const GroupSchedule* schedule : all_schedules()) {
    if (schedule == &fastest_schedule) continue;
    GroupTree tree = schedule->tree(problem);
    const Picoseconds time = finish(problem, tree);
    if (!best.empty() && time >= least) continue;
    least = time;
    best = std::move(tree);
  }
  return best;
}

}  // namespace

const GroupSchedule flat_schedule{.name = "flat", .tree = flat};
const GroupSchedule fef_schedule{.name = "fef", .tree = first_edge_first};
const GroupSchedule ecef_schedule{.name = "ecef", .tree = early_completion};
const GroupSchedule ecef_la_schedule{.name = "ecef-la", .tree = nearest_ahead};
const GroupSchedule ecef_la_least_schedule{.name = "ecef-LAt", .tree = finish_ahead<true>};
const GroupSchedule ecef_la_largest_schedule{.name = "ecef-LAT", .tree = finish_ahead<false>};
const GroupSchedule bottom_up_schedule{.name = "bottom-up", .tree = bottom_up};
const GroupSchedule binomial_schedule{.name = "binomial", .tree = binomial};
const GroupSchedule fastest_schedule{.name = "fastest", .tree = fastest};

const std::vector<const GroupSchedule*>& schedules_by_links() {
  static const std::vector<const GroupSchedule*> all = {
      &flat_schedule,      &fef_schedule,           &ecef_schedule,
      &ecef_la_schedule,   &ecef_la_least_schedule, &ecef_la_largest_schedule,
      &bottom_up_schedule,
  };
  return all;
}

const std::vector<const GroupSchedule*>& all_schedules() {
  static const std::vector<const GroupSchedule*> all = [] {
    std::vector<const GroupSchedule*> schedules = schedules_by_links();
    schedules.push_back(&binomial_schedule);
    schedules.push_back(&fastest_schedule);
    return schedules;
  }();
  return all;
}

Picoseconds finish(const GroupProblem& problem, const GroupTree& tree) {
  Picoseconds last = 0;
  std::vector<std::pair<int, Picoseconds>> next{{problem.root, 0}};
  while (!next.empty()) {
    auto [group, free] = next.back();
    next.pop_back();
    for (const int child : tree[static_cast<std::size_t>(group)]) {
      const MessageTime& message = problem.message(group, child);
      next.emplace_back(child, plus(free, message.whole()));
      free = plus(free, message.gap);
    }
    last = std::max(last, plus(free, problem.inside_of(group)));
  }
  return last;
}

}  // namespace tombolo
