#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <set>

#include <fmt/format.h>

#include <tombolo/framework/program/arrange.hpp>
#include <tombolo/framework/program/requests.hpp>
#include <tombolo/framework/program/shared_out.hpp>
#include <tombolo/platform/error.hpp>
#include <tombolo/platform/members.hpp>

namespace tombolo {

namespace {

constexpr std::int64_t assumed_passes = 100;
constexpr std::size_t most_looked_at = 4;  // sets of members
constexpr int panels_tried[] = {2, 4, 8, 16, 32};
constexpr double worth_overlapping = 0.98;  // of the time without: chopping up has costs of its own
constexpr double worth_leaving_out = 0.99;
constexpr double alike = 1.05;  // speeds of one class

class Arranging {
 public:
  Arranging(const Declaration& program, const Workers& workers, Planner& planner, const ArrangeOptions& options,
            std::span<const std::int64_t> passes)
      : program_(program),
        workers_(workers),
        planner_(planner),
        options_(options),
        passes_(passes),
        ranks_(static_cast<int>(
            std::accumulate(workers.clusters.begin(), workers.clusters.end(), std::size_t{0},
                            [](std::size_t sum, const std::vector<Rank>& cluster) { return sum + cluster.size(); }))) {}

  Arranged best() {
    std::optional<Arranged> best;
    for (const std::vector<Rank>& members : member_sets()) {
      Arranged found = best_on(members);
      if (best && seconds(found.outlook.makespan) >= worth_leaving_out * seconds(best->outlook.makespan)) continue;
      best = std::move(found);
    }
    return *best;
  }

 private:
  bool all_given() const {
    return std::any_of(program_.slices.begin(), program_.slices.end(),
                       [](const DeclaredSlices& slices) { return !slices.given.empty(); }) ||
           std::any_of(program_.arrays.begin(), program_.arrays.end(),
                       [](const DeclaredArray& array) { return array.placed.has_value(); });
  }

  // Which remembers the plans that it chose, for the run.
  Planner& planner_on(const std::vector<Rank>& members) const {
    return static_cast<int>(members.size()) == ranks_ ? planner_ : *planner_.on(members);
  }

  // All, and those that look best by bounds.
  std::vector<std::vector<Rank>> member_sets() const {
    std::vector<std::vector<Rank>> sets{all_in_order(ranks_)};
    if (options_.policy != SharePolicy::best || all_given() || program_.slices.empty()) return sets;
    std::vector<std::pair<Picoseconds, std::vector<Rank>>> others;
    for (const std::vector<Rank>& members : smaller_sets()) others.emplace_back(least_time(members), members);
    std::stable_sort(others.begin(), others.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    for (std::size_t i = 0; i < std::min(others.size(), most_looked_at); ++i) sets.push_back(others[i].second);
    return sets;
  }

  Picoseconds least_time(const std::vector<Rank>& members) const {
    const Arrangement draft = arrangement(members, 1, false);
    Costs costs(program_, draft, workers_.speeds, planner_on(members), options_.native);
    Picoseconds sum = 0;
    for (std::size_t task = 0; task < program_.tasks.size(); ++task) {
      const int loop = program_.tasks[task].loop;
      const std::int64_t times = loop == DeclaredTask::none ? 1 : passes_[static_cast<std::size_t>(loop)];
      sum += costs.bound(static_cast<int>(task)) * times;
    }
    return sum;
  }

  std::set<Rank> roots() const {
    std::set<Rank> roots;
    for (const DeclaredArray& array : program_.arrays) {
      if (array.root) roots.insert(*array.root);
    }
    if (roots.empty()) roots.insert(0);
    return roots;
  }

  // The first slices over which something is computed.
  int computed_over() const {
    for (const DeclaredTask& task : program_.tasks) {
      if (task.slices != DeclaredTask::none && task.operations > 0) return task.slices;
    }
    return 0;
  }

  // The fastest ranks, down to each step in speed, of all and of the root's cluster, and the fastest clusters.
  std::set<std::vector<Rank>> smaller_sets() const {
    const std::vector<Rank> all = all_in_order(ranks_);
    const std::vector<std::int64_t> speeds = speeds_over(program_, computed_over(), workers_.speeds, all);
    const auto speed = [&](Rank rank) { return speeds[static_cast<std::size_t>(rank)]; };
    std::vector<Rank> by_speed = all;
    std::stable_sort(by_speed.begin(), by_speed.end(), [&](Rank a, Rank b) { return speed(a) > speed(b); });
    std::set<std::vector<Rank>> sets;
    const std::set<Rank> always = roots();
    const auto add = [&](std::span<const Rank> some) {
      std::set<Rank> members(some.begin(), some.end());
      members.insert(always.begin(), always.end());
      if (members.size() < all.size()) sets.emplace(members.begin(), members.end());
    };
    for (std::size_t n = 1; n < by_speed.size(); ++n) {
      const auto slower = static_cast<double>(speed(by_speed[n]));
      if (static_cast<double>(speed(by_speed[n - 1])) > alike * slower) add(std::span(by_speed).first(n));
    }
    add({});  // the roots alone
    for (std::size_t n = 1; n < by_speed.size(); n *= 2) add(std::span(by_speed).first(n));
    std::vector<std::vector<Rank>> clusters = workers_.clusters;
    const auto total = [&](const std::vector<Rank>& cluster) {
      return std::accumulate(cluster.begin(), cluster.end(), 0.0,
                             [&](double sum, Rank rank) { return sum + static_cast<double>(speed(rank)); });
    };
    // A root's own cluster first: the others are behind longer links.
    const auto has_root = [&](const std::vector<Rank>& cluster) {
      return std::any_of(cluster.begin(), cluster.end(), [&](Rank rank) { return always.contains(rank); });
    };
    std::stable_sort(clusters.begin(), clusters.end(), [&](const auto& a, const auto& b) {
      return std::pair(has_root(a), total(a)) > std::pair(has_root(b), total(b));
    });
    std::vector<Rank> nearest = clusters.front();
    std::stable_sort(nearest.begin(), nearest.end(), [&](Rank a, Rank b) { return speed(a) > speed(b); });
    for (std::size_t n = 1; n < nearest.size(); n *= 2) add(std::span(nearest).first(n));
    std::vector<Rank> together;
    for (const std::vector<Rank>& cluster : clusters) {
      together.insert(together.end(), cluster.begin(), cluster.end());
      add(together);
    }
    return sets;
  }

  Arrangement arrangement(const std::vector<Rank>& members, int panels, bool overlaps) const {
    Arrangement result{members, {}, overlaps, {}};
    for (std::size_t s = 0; s < program_.slices.size(); ++s) {
      const DeclaredSlices& slices = program_.slices[s];
      if (!slices.given.empty()) {
        result.divisions.push_back(Division({slices.given}));
        continue;
      }
      const bool cut = can_be_panels(program_, static_cast<int>(s));
      result.divisions.push_back(
          shared_out(program_, static_cast<int>(s), workers_, members, options_.policy, cut ? panels : 1));
    }
    int most_panels = 1;
    for (const Division& division : result.divisions) most_panels = std::max(most_panels, division.panels());
    result.how = fmt::format(
        "{}{}{}", options_.policy == SharePolicy::equal ? "equal" : "speed",
        static_cast<int>(members.size()) == ranks_ ? "" : fmt::format(" on {} of {} ranks", members.size(), ranks_),
        most_panels > 1 ? fmt::format(", {} panels", most_panels) : "");
    return result;
  }

  Arranged look_at(Arrangement arrangement) {
    Costs costs(program_, arrangement, workers_.speeds, planner_on(arrangement.members), options_.native);
    Outlook expected = outlook(program_, arrangement, costs, passes_);
    return {std::move(arrangement), std::move(expected)};
  }

  bool worth_panels(int panels) const {
    bool any = false;
    for (std::size_t s = 0; s < program_.slices.size(); ++s) {
      if (!can_be_panels(program_, static_cast<int>(s)) || !program_.slices[s].given.empty()) continue;
      any = any || program_.slices[s].items / panels >= program_.slices[s].grain * ranks_;
    }
    return any;
  }

  // What could overlap: a collective and a computation of one section, neither of which waits for the other.
  bool could_overlap() const {
    const bool halos = std::any_of(program_.tasks.begin(), program_.tasks.end(),
                                   [](const DeclaredTask& task) { return !task.around.empty(); });
    const auto is = [](TaskKind kind) { return [kind](const DeclaredTask& task) { return task.kind == kind; }; };
    const bool both = std::any_of(program_.tasks.begin(), program_.tasks.end(), is(TaskKind::compute));
    return halos || (both && program_.tasks.size() > 1);
  }

  // What MPI carries out by itself, as among ranks of one host, is over when the call returns.
  bool by_mpi(const std::vector<Rank>& members) const {
    const Arrangement draft = arrangement(members, 1, false);
    Costs costs(program_, draft, workers_.speeds, planner_on(members), options_.native);
    for (std::size_t task = 0; task < program_.tasks.size(); ++task) {
      const auto request = request_of(program_, draft, {static_cast<int>(task)}, 0);
      if (request && !costs.by_mpi(*request)) return false;
    }
    return true;
  }

  Arranged best_on(const std::vector<Rank>& members) {
    const bool asked = options_.panels > 1;
    if (options_.native || !options_.overlap || !could_overlap() || (!asked && by_mpi(members))) {
      return look_at(arrangement(members, std::max(options_.panels, 1), false));
    }
    if (options_.panels > 0) return look_at(arrangement(members, options_.panels, true));
    Arranged best = look_at(arrangement(members, 1, false));
    const double alone = seconds(best.outlook.makespan);
    const auto take = [&](int panels) {
      Arranged found = look_at(arrangement(members, panels, true));
      const double time = seconds(found.outlook.makespan);
      if (time > worth_overlapping * alone || time >= seconds(best.outlook.makespan)) return false;
      best = std::move(found);
      return true;
    };
    take(1);
    for (const int panels : panels_tried) {
      if (!worth_panels(panels) || (!take(panels) && panels > panels_tried[1])) break;
    }
    return best;
  }

  const Declaration& program_;
  const Workers& workers_;
  Planner& planner_;
  const ArrangeOptions& options_;
  std::span<const std::int64_t> passes_;
  int ranks_;
};

void check_given(const Declaration& program, std::size_t ranks) {
  for (const DeclaredSlices& slices : program.slices) {
    if (slices.given.empty()) continue;
    const std::int64_t sum = std::accumulate(slices.given.begin(), slices.given.end(), std::int64_t{0});
    if (slices.given.size() == ranks && sum == slices.items) continue;
    throw Error(fmt::format("program {}: {} are given shares of {} items for {} ranks, and are {} items for {} ranks",
                            program.name, slices.name, sum, slices.given.size(), slices.items, ranks),
                "give a share to each rank, of all items together");
  }
}

void check_placed(const Declaration& program, std::size_t ranks) {
  for (const DeclaredArray& array : program.arrays) {
    if (!array.placed || static_cast<std::size_t>(array.placed->ranks()) == ranks) continue;
    throw Error(fmt::format("program {}: {} is distributed over {} ranks of {}", program.name, array.name,
                            array.placed->ranks(), ranks),
                "give a distribution over all ranks");
  }
}

void check_roots(const Declaration& program, std::size_t ranks) {
  for (const DeclaredArray& array : program.arrays) {
    if (!array.root || (*array.root >= 0 && static_cast<std::size_t>(*array.root) < ranks)) continue;
    throw Error(fmt::format("program {}: {} is at rank {} of {}", program.name, array.name, *array.root, ranks),
                fmt::format("the root must be 0 to {}", ranks - 1));
  }
}

}  // namespace

std::vector<std::int64_t> expected_passes(const Declaration& program) {
  std::vector<std::int64_t> passes;
  for (const DeclaredLoop& loop : program.loops) passes.push_back(std::min(loop.most, assumed_passes));
  return passes;
}

Arranged arrange(const Declaration& program, const Workers& workers, Planner& planner, const ArrangeOptions& options,
                 std::span<const std::int64_t> passes) {
  std::size_t ranks = 0;
  for (const std::vector<Rank>& cluster : workers.clusters) ranks += cluster.size();
  check_given(program, ranks);
  check_roots(program, ranks);
  check_placed(program, ranks);
  for (const auto& [kernel, of_ranks] : workers.speeds) {
    if (of_ranks.size() != ranks) {
      throw Error(
          fmt::format("program {}: kernel {} has {} speeds for {} ranks", program.name, kernel, of_ranks.size(), ranks),
          "give a speed for each rank");
    }
    const auto slow = std::find_if(of_ranks.begin(), of_ranks.end(), [](const SpeedFunction& speed) {
      return std::all_of(speed.points().begin(), speed.points().end(),
                         [](const SpeedPoint& p) { return p.speed <= 0; });
    });
    if (slow == of_ranks.end()) continue;
    throw Error(
        fmt::format("program {}: kernel {} has no speed on rank {}", program.name, kernel, slow - of_ranks.begin()),
        "measure it again (tombolo discover --kernels)");
  }
  Arranged best = Arranging(program, workers, planner, options, passes).best();
  if (options.policy != SharePolicy::best) return best;
  // Where computing is little, equal messages may be worth more than equal times.
  ArrangeOptions equal = options;
  equal.policy = SharePolicy::equal;
  Arranged other = Arranging(program, workers, planner, equal, passes).best();
  return other.outlook.makespan < best.outlook.makespan ? other : best;
}

}  // namespace tombolo
