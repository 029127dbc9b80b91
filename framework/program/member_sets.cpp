#include <algorithm>
#include <numeric>
#include <span>
#include <utility>

#include <tombolo/framework/program/member_sets.hpp>
#include <tombolo/platform/members.hpp>

namespace tombolo {

namespace {

constexpr double alike = 1.05;  // speeds of one class

std::set<Rank> roots_of(const Declaration& program) {
  std::set<Rank> roots;
  for (const DeclaredArray& array : program.arrays) {
    if (array.root) roots.insert(*array.root);
  }
  if (roots.empty()) roots.insert(0);
  return roots;
}

// The first slices over which something is computed.
int computed_over(const Declaration& program) {
  for (const DeclaredTask& task : program.tasks) {
    if (task.slices != DeclaredTask::none && task.operations > 0) return task.slices;
  }
  return 0;
}

}  // namespace

int ranks_of(const Workers& workers) {
  std::size_t ranks = 0;
  for (const std::vector<Rank>& cluster : workers.clusters) ranks += cluster.size();
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
  std::vector<std::vector<Rank>> clusters = workers.clusters;
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

}  // namespace tombolo
