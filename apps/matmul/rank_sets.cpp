#include "matmul/rank_sets.hpp"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <numeric>
#include <utility>

#include <fmt/format.h>

#include <tombolo/framework/program/plan/workers.hpp>
#include <tombolo/platform/readable.hpp>

namespace tombolo::matmul {

namespace {

FlopsPerSecond speed_of(const Speeds& speeds, Rank rank) {
  return speeds[static_cast<std::size_t>(rank)];
}

Speeds only(const Speeds& speeds, const std::vector<Rank>& ranks) {
  Speeds result(speeds.size(), 0);
  for (const Rank rank : ranks) result[static_cast<std::size_t>(rank)] = speed_of(speeds, rank);
  return result;
}

/// Returns the clusters of a platform by rank: the outermost, and the innermost if they are others.
std::vector<std::vector<int>> clusters_by_rank(const Platform& platform) {
  std::vector<const Level*> outermost;
  if (platform.levels.kind == Level::Kind::group) {
    for (const Level& child : platform.levels.children) outermost.push_back(&child);
  }
  std::vector<std::vector<int>> all;
  for (const auto& levels : {outermost, clusters(platform.levels)}) {
    if (levels.size() < 2) continue;
    std::vector<int> numbers(static_cast<std::size_t>(platform.ranks()), 0);
    for (std::size_t i = 0; i < levels.size(); ++i) {
      for (const Rank rank : levels[i]->ranks) numbers[static_cast<std::size_t>(rank)] = static_cast<int>(i);
    }
    if (all.empty() || all.back() != numbers) all.push_back(std::move(numbers));
  }
  return all;
}

/// Calls `what` for a group or cluster and for all inside it.
void for_each_inside(const Level& level, const std::function<void(const Level&)>& what) {
  what(level);
  if (level.kind != Level::Kind::group) return;
  for (const Level& child : level.children) for_each_inside(child, what);
}

/// Collects the sets, each once.
class Sets {
 public:
  Sets(const Platform& platform, const Speeds& speeds)
      : platform_(platform), speeds_(speeds), clusters_(clusters_by_rank(platform)) {}

  /// All ranks, in these shares: with copies for the clusters, without, and with copies for the outermost ones only.
  void add_all(const Speeds& shares) {
    const std::string name = on(std::ssize(speeds_));
    add(name, shares);
    if (!clusters_.empty()) sets_.push_back({name + ", directly", shares});
    if (clusters_.size() > 1) {
      sets_.push_back({name + ", clusters first, copies for outermost clusters", shares, true, {clusters_[0]}});
    }
  }

  /// The clusters, the fastest first, each with all inside it and with those before it.
  void add_by_cluster() {
    if (clusters_.empty()) return;
    std::vector<const Level*> order;
    for (const Level& child : platform_.levels.children) order.push_back(&child);
    std::ranges::stable_sort(order, std::greater(), [&](const Level* cluster) {
      FlopsPerSecond sum = 0;
      for (const Rank rank : cluster->ranks) sum += speed_of(speeds_, rank);
      return sum;
    });
    std::vector<Rank> together;
    for (std::size_t i = 0; i < order.size(); ++i) {
      add_further(order[i]->ranks, i, order.size(), "fastest clusters", together);
      for_each_inside(*order[i], [&](const Level& level) {
        const std::string name = fmt::format("{} of {}", on(std::ssize(level.ranks)), described(level));
        if (level.kind == Level::Kind::group) add(name, only(speeds_, level.ranks));
        sets_.push_back({name, only(speeds_, level.ranks)});
      });
    }
  }

  /// The clusters from the root outwards, each with those before it.
  void add_around(Rank root) {
    if (clusters_.empty()) return;
    const RankParts order = nearest_first(parts_by_depth(platform_.levels), {root},
                                          [&](Rank rank) { return static_cast<double>(speed_of(speeds_, rank)); });
    std::vector<Rank> together;
    for (std::size_t i = 0; i < order.size(); ++i) {
      add_further(order[i], i, order.size(), "clusters nearest to the root", together);
    }
  }

  /// The fastest half of the ranks, the fastest quarter, and so on.
  void add_fastest() {
    std::vector<Rank> order(speeds_.size());
    std::iota(order.begin(), order.end(), 0);
    std::ranges::stable_sort(order, std::greater(), [&](Rank rank) { return speed_of(speeds_, rank); });
    for (auto count = std::ssize(order) / 2; count > 0; count /= 2) {
      add(fmt::format("columns on the fastest {}", counted(count, "rank")),
          only(speeds_, {order.begin(), order.begin() + count}));
    }
  }

  std::vector<RankSet> sets() && { return std::move(sets_); }

 private:
  std::string on(std::int64_t ranks) const {
    const bool all = ranks == std::ssize(speeds_) && ranks > 1;
    return fmt::format("columns on {}{}", all ? "all " : "", counted(ranks, "rank"));
  }
  void add(const std::string& name, const Speeds& speeds) {
    if (std::ranges::any_of(sets_, [&](const RankSet& set) { return set.speeds == speeds; })) return;
    if (clusters_.empty()) {
      sets_.push_back({name, speeds});
    } else {
      sets_.push_back({name + ", clusters first, copies for each cluster", speeds, true, clusters_});
    }
  }
  /// Adds the `i`-th cluster of an order to those before it, and the set of them, unless that is one cluster or all.
  void add_further(const std::vector<Rank>& cluster, std::size_t i, std::size_t of, const std::string& which,
                   std::vector<Rank>& together) {
    together.insert(together.end(), cluster.begin(), cluster.end());
    if (i == 0 || i + 1 == of) return;
    add(fmt::format("{} of the {} {}", on(std::ssize(together)), i + 1, which), only(speeds_, together));
  }

  const Platform& platform_;
  const Speeds& speeds_;
  std::vector<std::vector<int>> clusters_;
  std::vector<RankSet> sets_;
};

}  // namespace

std::vector<RankSet> rank_sets(const Platform& platform, const Options& options, const Speeds& speeds) {
  Sets sets(platform, speeds);
  sets.add_all(options.run.shares == SharePolicy::equal ? Speeds(speeds.size(), 1) : speeds);
  if (options.run.shares != SharePolicy::best) return std::move(sets).sets();
  sets.add_by_cluster();
  if (options.held == Held::root) sets.add_around(options.root);
  sets.add_fastest();
  return std::move(sets).sets();
}

}  // namespace tombolo::matmul
