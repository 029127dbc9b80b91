#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <numeric>
#include <span>
#include <tuple>
#include <utility>

#include <tombolo/framework/program/plan/workers.hpp>
#include <tombolo/platform/description/members.hpp>

namespace tombolo {

namespace {

// Returns the most items of each member within its memory, beside its other arrays; empty if all have enough.
std::vector<std::int64_t> limits(const Declaration& program, int slices, const Workers& workers,
                                 std::span<const Rank> members) {
  if (workers.memory.empty()) return {};
  std::vector<std::int64_t> most;
  double together = 0;
  for (const Rank rank : members) {
    double held = 0;
    double each = 0;
    for (const DeclaredArray& array : program.arrays) {
      const double row = static_cast<double>(array.shape.columns) * static_cast<double>(array.element);
      const bool all = array.everywhere || array.root == rank;
      if (array.placed) held += static_cast<double>(array.placed->elements(rank) * array.element);
      if (all) held += row * static_cast<double>(array.shape.rows);
      if (!all && array.slices == slices) each += row;
    }
    const auto items = static_cast<double>(program.slices[static_cast<std::size_t>(slices)].items);
    const double room = std::max(workers.memory[static_cast<std::size_t>(rank)] - held, 0.0);
    most.push_back(static_cast<std::int64_t>(each > 0 ? std::min(room / each, items) : items));
    together += static_cast<double>(most.back());
  }
  // If the items do not fit at all, prepare() reports the error.
  if (together < static_cast<double>(program.slices[static_cast<std::size_t>(slices)].items)) return {};
  return most;
}

// Returns the only task over a domain whose speed depends on the number of items; null if there are other tasks, or
// none.
const DeclaredTask* only_work(const Declaration& program, int slices) {
  const DeclaredTask* only = nullptr;
  for (const DeclaredTask& task : program.tasks) {
    if (task.slices != slices || task.operations == 0) continue;
    if (only != nullptr || task.size == 0) return nullptr;
    only = &task;
  }
  return only;
}

}  // namespace

Division shared_out(const Declaration& program, int slices, const Workers& workers, std::span<const Rank> members,
                    SharePolicy policy, int panels) {
  const DeclaredDomain& declared = program.slices[static_cast<std::size_t>(slices)];
  const std::vector<std::int64_t> most = limits(program, slices, workers, members);
  std::vector<SpeedFunction> speeds;
  if (policy == SharePolicy::equal) {
    speeds.assign(members.size(), SpeedFunction::constant(1));
    return divide(declared, speeds, 1, panels, most);
  }
  if (const DeclaredTask* only = only_work(program, slices)) {
    for (const Rank rank : members) {
      speeds.push_back(workers.speeds.at(only->kernel)[static_cast<std::size_t>(rank)]);
    }
    return divide(declared, speeds, only->size, panels, most);
  }
  for (const std::int64_t speed : speeds_over(program, slices, workers.speeds, members)) {
    speeds.push_back(SpeedFunction::constant(speed));
  }
  return divide(declared, speeds, 1, panels, most);
}

std::vector<std::int64_t> speeds_over(const Declaration& program, int slices, const SpeedsByKernel& speeds,
                                      std::span<const Rank> members) {
  constexpr std::int64_t large = std::numeric_limits<std::int32_t>::max();
  constexpr double fastest = 1e15;  // scale that keeps the digits of the slowest ranks
  std::vector<double> items;
  for (const Rank rank : members) {
    double time = 0;
    for (const DeclaredTask& task : program.tasks) {
      if (task.slices != slices || task.operations == 0) continue;
      time += task.operations /
              static_cast<double>(speeds.at(task.kernel)[static_cast<std::size_t>(rank)].at(problem_size(task, large)));
    }
    items.push_back(time > 0 ? 1 / time : 0);
  }
  const double most = items.empty() ? 0 : *std::max_element(items.begin(), items.end());
  std::vector<std::int64_t> result;
  for (const double each : items) result.push_back(most > 0 ? std::llround(each / most * fastest) : 1);
  return result;
}

namespace {

constexpr double alike = 1.05;  // greatest ratio of speeds in one class

std::set<Rank> roots_of(const Declaration& program) {
  std::set<Rank> roots;
  for (const DeclaredArray& array : program.arrays) {
    if (array.root) roots.insert(*array.root);
  }
  if (roots.empty()) roots.insert(0);
  return roots;
}

// Returns the first domain with computation.
int computed_over(const Declaration& program) {
  for (const DeclaredTask& task : program.tasks) {
    if (task.slices != DeclaredTask::none && task.operations > 0) return task.slices;
  }
  return 0;
}

}  // namespace

std::vector<RankParts> parts_by_depth(const Level& levels) {
  std::vector<RankParts> parts;
  std::vector<const Level*> now{&levels};
  for (bool deeper = true; deeper;) {
    std::vector<const Level*> inside;
    deeper = false;
    for (const Level* level : now) {
      if (level->kind != Level::Kind::group) {
        inside.push_back(level);
        continue;
      }
      deeper = true;
      for (const Level& child : level->children) inside.push_back(&child);
    }
    if (!deeper && !parts.empty()) break;
    now = std::move(inside);
    RankParts& of_depth = parts.emplace_back();
    for (const Level* level : now) of_depth.push_back(level->ranks);
  }
  return parts;
}

RankParts nearest_first(const std::vector<RankParts>& parts, const std::set<Rank>& roots,
                        const std::function<double(Rank)>& speed) {
  // Of a cluster: what its part at each depth is.
  using Nearness = std::vector<std::tuple<bool, double, std::ptrdiff_t>>;
  std::map<Rank, Nearness> places;
  for (const RankParts& of_depth : parts) {
    for (const std::vector<Rank>& part : of_depth) {
      const bool has_root = std::ranges::any_of(part, [&](Rank rank) { return roots.contains(rank); });
      const double together =
          std::accumulate(part.begin(), part.end(), 0.0, [&](double sum, Rank rank) { return sum + speed(rank); });
      for (const Rank rank : part) places[rank].emplace_back(has_root, together, &of_depth.front() - &part);
    }
  }
  RankParts clusters = parts.back();
  std::ranges::stable_sort(clusters, std::greater(),
                           [&](const std::vector<Rank>& cluster) { return places.at(cluster.front()); });
  return clusters;
}

int ranks_of(const Workers& workers) {
  std::size_t ranks = 0;
  for (const std::vector<Rank>& part : workers.parts.front()) ranks += part.size();
  return static_cast<int>(ranks);
}

std::set<std::vector<Rank>> member_sets(const Declaration& program, const Workers& workers) {
  const std::vector<Rank> all = all_in_order(ranks_of(workers));
  const std::vector<std::int64_t> speeds = speeds_over(program, computed_over(program), workers.speeds, all);
  const auto speed = [&](Rank rank) { return speeds[static_cast<std::size_t>(rank)]; };
  std::vector<Rank> by_speed = all;
  std::stable_sort(by_speed.begin(), by_speed.end(), [&](Rank a, Rank b) { return speed(a) > speed(b); });
  std::set<std::vector<Rank>> sets;
  const std::set<Rank> always = roots_of(program);
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
  const RankParts clusters =
      nearest_first(workers.parts, always, [&](Rank rank) { return static_cast<double>(speed(rank)); });
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

std::set<std::vector<Rank>> sets_near_roots(const Declaration& program, const Workers& workers) {
  const std::set<Rank> always = roots_of(program);
  std::set<std::vector<Rank>> sets;
  for (const RankParts& of_depth : workers.parts) {
    for (const std::vector<Rank>& part : of_depth) {
      if (std::ranges::none_of(part, [&](Rank rank) { return always.contains(rank); })) continue;
      std::set<Rank> members(part.begin(), part.end());
      members.insert(always.begin(), always.end());
      if (static_cast<int>(members.size()) < ranks_of(workers)) sets.emplace(members.begin(), members.end());
    }
  }
  return sets;
}

}  // namespace tombolo
