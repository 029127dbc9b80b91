#include <algorithm>
#include <memory>
#include <numeric>
#include <optional>

#include <fmt/format.h>

#include <tombolo/framework/program/declare/declaration.hpp>
#include <tombolo/framework/program/declare/tasks/task_rules.hpp>
#include <tombolo/framework/program/plan/arrange.hpp>
#include <tombolo/framework/program/plan/workers.hpp>
#include <tombolo/platform/description/members.hpp>
#include <tombolo/units.hpp>

namespace tombolo {

namespace {

constexpr std::int64_t assumed_passes = 100;  // of a loop with a rule, at most
constexpr std::size_t most_looked_at = 4;     // sets of members predicted in full, beside those near the root
constexpr int panels_tried[] = {2, 4, 8, 16, 32};
constexpr double worth_overlapping = 0.98;  // of the time without overlap, as cutting has costs of its own
constexpr double least_gain = 0.99;         // of the time with more ranks, for leaving ranks out
constexpr double lost_by_windows = 0.1;     // of the time of panels beside each other, as nobody fills them meanwhile

int most_panels(const Arrangement& arrangement) {
  int most = 1;
  for (const Division& division : arrangement.divisions) most = std::max(most, division.panels());
  return most;
}

class Arranging {
 public:
  Arranging(const Declaration& program, const Workers& workers, Planner& planner, const ArrangeOptions& options,
            std::span<const std::int64_t> passes)
      : program_(program),
        workers_(workers),
        planner_(planner),
        options_(options),
        passes_(passes),
        ranks_(ranks_of(workers)) {}

  // Other numbers of panels were compared with the plans of one, where these serve.
  Arranged best() {
    Arranged found = best_of_all();
    if (most_panels(found.arrangement) > 1) found = look_at(std::move(found.arrangement));
    return goes_both_ways(found.arrangement) ? paired(std::move(found)) : found;
  }

 private:
  // True if collectives may go beside each other.
  bool goes_both_ways(const Arrangement& arrangement) const {
    if (!arrangement.overlaps || arrangement.ranks() == 1) return false;
    std::vector<Request> all;
    for (std::size_t task = 0; task < program_.tasks.size(); ++task) {
      auto request = request_of(program_, arrangement, {.task = static_cast<int>(task)}, 0);
      if (!request) continue;
      if (std::ranges::any_of(all, [&](const Request& other) { return are_opposite(*request, other); })) return true;
      all.push_back(std::move(*request));
    }
    return false;
  }

  // With as many messages at once both ways: all of them, unless windows gain more than they may lose, else so many
  // that it is predicted to take no longer.
  Arranged paired(Arranged found) {
    const int panels = most_panels(found.arrangement);
    const double worth_windows = 1 - lost_by_windows * (panels - 1) / panels;  // the last one goes beside none
    for (const Pairing pairing : {Pairing::flat, Pairing::alike}) {
      Costs costs(program_, found.arrangement, workers_.speeds, planner_on(found.arrangement.members), false, {},
                  pairing);
      Outlook expected = outlook(program_, found.arrangement, costs, passes_);
      const bool serves = pairing == Pairing::flat
                              ? worth_windows * seconds(expected.makespan) <= seconds(found.outlook.makespan)
                              : expected.makespan <= alike_to(found.outlook.makespan);
      if (serves) return {std::move(found.arrangement), std::move(expected), pairing};
    }
    return found;
  }

  Arranged best_of_all() {
    const SharePolicy policy = options_.policy == SharePolicy::equal ? SharePolicy::equal : SharePolicy::speed;
    const std::vector<Rank> everybody = all_in_order(ranks_);
    Arranged all = best_on(everybody, policy);
    if (options_.policy != SharePolicy::best) return all;
    std::optional<Arranged> some;
    for (const std::vector<Rank>& members : smaller_sets()) {
      Arranged found = best_on(members, policy);
      if (worth_leaving_out(found.outlook, some ? some->outlook : all.outlook)) some = std::move(found);
    }
    // With little computation, equal messages may be worth more than equal times.
    const auto divisions = [&](SharePolicy of) { return arrangement(everybody, of, 1, false).divisions; };
    if (divisions(SharePolicy::equal) != divisions(policy)) {
      Arranged equal = best_on(everybody, SharePolicy::equal);
      if (equal.outlook.makespan < all.outlook.makespan) all = std::move(equal);
    }
    if (!some || all.outlook.makespan <= some->outlook.makespan) return all;
    if (is_sure(*some, all)) return *some;
    all.arrangement.how += " on all ranks, as links are not sure enough to leave any out";
    return all;
  }

  static bool worth_leaving_out(const Outlook& some, const Outlook& others) {
    return seconds(some.makespan) < least_gain * seconds(others.makespan);
  }

  // True if a subset of ranks is faster than all ranks even at the optimistic end of every link's error bar.
  bool is_sure(const Arranged& some, const Arranged& all) const {
    const std::shared_ptr<Planner> planner = options_.at_best ? options_.at_best() : nullptr;
    if (!planner) return true;
    const auto expected = [&](const Arrangement& arrangement) {
      Costs costs(program_, arrangement, workers_.speeds, on(*planner, arrangement.members), options_.native);
      return outlook(program_, arrangement, costs, passes_);
    };
    return worth_leaving_out(expected(some.arrangement), expected(all.arrangement));
  }

  Planner& on(Planner& planner, const std::vector<Rank>& members) const {
    return static_cast<int>(members.size()) == ranks_ ? planner : *planner.on(members);
  }

  // Returns the planner of members, which caches its plans for the run.
  Planner& planner_on(const std::vector<Rank>& members) const { return on(planner_, members); }

  // Returns the sets of members with the best bounds, and the cluster and groups of the root: bounds are blind to what
  // nobody has measured, such as lines that are shared by all that leaves a cluster.
  std::vector<std::vector<Rank>> smaller_sets() const {
    const bool given = std::any_of(program_.slices.begin(), program_.slices.end(),
                                   [](const DeclaredDomain& slices) { return !slices.given.empty(); }) ||
                       std::any_of(program_.arrays.begin(), program_.arrays.end(),
                                   [](const DeclaredArray& array) { return array.placed.has_value(); });
    if (given || program_.slices.empty()) return {};
    std::vector<std::pair<Picoseconds, std::vector<Rank>>> sets;
    for (const std::vector<Rank>& members : member_sets(program_, workers_)) {
      sets.emplace_back(least_time(members), members);
    }
    std::stable_sort(sets.begin(), sets.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    std::vector<std::vector<Rank>> best;
    for (std::size_t i = 0; i < std::min(sets.size(), most_looked_at); ++i) best.push_back(std::move(sets[i].second));
    for (const std::vector<Rank>& near : sets_near_roots(program_, workers_)) {
      if (std::ranges::find(best, near) == best.end()) best.push_back(near);
    }
    return best;
  }

  Picoseconds least_time(const std::vector<Rank>& members) const {
    const Arrangement draft = arrangement(members, SharePolicy::speed, 1, false);
    Costs costs(program_, draft, workers_.speeds, planner_on(members), options_.native);
    Picoseconds sum = 0;
    for (std::size_t task = 0; task < program_.tasks.size(); ++task) {
      const std::int64_t times = passes_of(program_.tasks[task].loop, passes_);
      sum = plus(sum, times_over(costs.bound(static_cast<int>(task)), times));
    }
    return sum;
  }

  Arrangement arrangement(const std::vector<Rank>& members, SharePolicy policy, int panels, bool overlaps) const {
    Arrangement result{members, {}, overlaps, {}};
    for (std::size_t s = 0; s < program_.slices.size(); ++s) {
      const DeclaredDomain& slices = program_.slices[s];
      if (!slices.given.empty()) {
        result.divisions.push_back(Division({slices.given}));
        continue;
      }
      const bool cut = can_be_panels(program_, static_cast<int>(s));
      result.divisions.push_back(
          shared_out(program_, static_cast<int>(s), workers_, members, policy, cut ? panels : 1));
    }
    const int panels_of_any = most_panels(result);
    result.how = fmt::format(
        "{}{}{}", policy == SharePolicy::equal ? "equal" : "speed",
        static_cast<int>(members.size()) == ranks_ ? "" : fmt::format(" on {} of {} ranks", members.size(), ranks_),
        panels_of_any > 1 ? fmt::format(", {} panels", panels_of_any) : "");
    return result;
  }

  // Keeps the plans in `plans`, if given and empty, else uses them.
  Arranged look_at(Arrangement arrangement, PlansByTask* plans = nullptr) {
    Costs costs(program_, arrangement, workers_.speeds, planner_on(arrangement.members), options_.native,
                plans != nullptr ? *plans : PlansByTask());
    Outlook expected = outlook(program_, arrangement, costs, passes_);
    if (plans != nullptr && plans->empty()) *plans = costs.plans();
    return {std::move(arrangement), std::move(expected), Pairing::none};
  }

  bool worth_panels(int panels, std::size_t members) const {
    bool any = false;
    for (std::size_t s = 0; s < program_.slices.size(); ++s) {
      if (!can_be_panels(program_, static_cast<int>(s)) || !program_.slices[s].given.empty()) continue;
      any = any || program_.slices[s].items / panels >= program_.slices[s].grain * static_cast<std::int64_t>(members);
    }
    return any;
  }

  // True if overlap is possible: a task reads a halo, or a computation is not the only task.
  bool could_overlap() const {
    const bool halos = std::any_of(program_.tasks.begin(), program_.tasks.end(),
                                   [](const DeclaredTask& task) { return !task.around.empty(); });
    const bool computes = std::any_of(program_.tasks.begin(), program_.tasks.end(),
                                      [](const DeclaredTask& task) { return rules(task.kind).computes_items(); });
    return halos || (computes && program_.tasks.size() > 1);
  }

  // True if MPI is the backend of all collectives, as among ranks of one host; a native call is complete on return.
  bool by_mpi(const std::vector<Rank>& members) const {
    const Arrangement draft = arrangement(members, SharePolicy::speed, 1, false);
    Costs costs(program_, draft, workers_.speeds, planner_on(members), options_.native);
    for (std::size_t task = 0; task < program_.tasks.size(); ++task) {
      const auto request = request_of(program_, draft, {static_cast<int>(task)}, 0);
      if (request && !costs.by_mpi(*request)) return false;
    }
    return true;
  }

  Arranged best_on(const std::vector<Rank>& members, SharePolicy policy) {
    const bool asked = options_.panels > 1;
    if (options_.native || !options_.overlap || !could_overlap() || (!asked && by_mpi(members))) {
      return look_at(arrangement(members, policy, std::max(options_.panels, 1), false));
    }
    if (options_.panels > 0) return look_at(arrangement(members, policy, options_.panels, true));
    PlansByTask plans;
    Arranged best = look_at(arrangement(members, policy, 1, false), &plans);
    const double alone = seconds(best.outlook.makespan);
    const auto take = [&](int panels) {
      Arranged found = look_at(arrangement(members, policy, panels, true), &plans);
      const double time = seconds(found.outlook.makespan);
      if (time > worth_overlapping * alone || time >= seconds(best.outlook.makespan)) return false;
      best = std::move(found);
      return true;
    };
    take(1);
    for (const int panels : panels_tried) {
      if (!worth_panels(panels, members.size()) || (!take(panels) && panels > panels_tried[1])) break;
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
  for (const DeclaredDomain& slices : program.slices) {
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
  for (const DeclaredLoop& loop : program.loops) {
    passes.push_back(loop.stops ? std::min(loop.most, assumed_passes) : loop.most);
  }
  return passes;
}

Arranged arrange(const Declaration& program, const Workers& workers, Planner& planner, const ArrangeOptions& options,
                 std::span<const std::int64_t> passes) {
  const auto ranks = static_cast<std::size_t>(ranks_of(workers));
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
  return Arranging(program, workers, planner, options, passes).best();
}

}  // namespace tombolo
