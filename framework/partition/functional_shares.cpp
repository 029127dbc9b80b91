#include <algorithm>
#include <cstddef>
#include <limits>
#include <numeric>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include <tombolo/framework/partition/count_set.hpp>
#include <tombolo/framework/partition/time_limit.hpp>
#include <tombolo/shares.hpp>
#include <tombolo/units.hpp>

namespace tombolo {
namespace {

using Shares = std::vector<std::int64_t>;

void check(std::int64_t n, std::span<const SpeedFunction> speeds, std::int64_t size_per_item,
           std::span<const std::int64_t> most) {
  if (n < 0) throw Error(fmt::format("{} items to share out", n), "share out 0 items or more");
  if (size_per_item < 1) {
    throw Error(fmt::format("items that add {} to the size of a problem", size_per_item), "let each add 1 at least");
  }
  if (!most.empty() && most.size() != speeds.size()) {
    throw Error(fmt::format("limits of {} ranks beside speeds of {}", most.size(), speeds.size()),
                "give a limit for each rank, or none");
  }
  for (std::size_t rank = 0; rank < most.size(); ++rank) {
    if (most[rank] < 0) {
      throw Error(fmt::format("rank {} may have {} items at most", rank, most[rank]), "give limits of 0 or more");
    }
  }
  const bool any = std::any_of(speeds.begin(), speeds.end(), [](const SpeedFunction& speed) {
    return std::any_of(speed.points().begin(), speed.points().end(), [](const SpeedPoint& p) { return p.speed > 0; });
  });
  if (!any) {
    throw Error(fmt::format("none of {} ranks has a speed above 0", speeds.size()),
                "measure the kernel again, or state at least one positive speed");
  }
}

/// A rank: the numbers of items that it can do.
class Worker {
 public:
  Worker(const SpeedFunction& speed, std::int64_t size_per_item, std::int64_t most)
      : speed_(&speed), size_per_item_(size_per_item), most_(most) {}

  std::int64_t speed(std::int64_t items) const {
    constexpr auto largest = static_cast<UnsignedWide>(std::numeric_limits<std::int64_t>::max());
    const UnsignedWide size = static_cast<UnsignedWide>(items) * static_cast<UnsignedWide>(size_per_item_);
    return speed_->at(static_cast<std::int64_t>(std::min(size, largest)));
  }

  /// Returns the counts of items within the time. Between two points the speed is linear, so feasibility changes at
  /// most once there.
  CountSet within(TimeLimit limit) const {
    const auto fits = [&](std::int64_t items) { return items <= limit.amount(speed(items)); };
    std::vector<CountSet::Interval> parts{{0, 0}};
    std::int64_t first = 1;
    bool all = most_ < 1;  // all counts up to the limit are done
    const auto stretch = [&](std::int64_t last) {
      if (all || first > last) return;
      const bool begins = fits(first);
      const bool ends = fits(last);
      if (begins || ends) {
        const auto border = [&](std::int64_t inside, std::int64_t outside) {
          while (std::max(inside, outside) - std::min(inside, outside) > 1) {
            const std::int64_t middle = std::midpoint(inside, outside);
            (fits(middle) ? inside : outside) = middle;
          }
          return inside;
        };
        parts.push_back({begins ? first : border(last, first), ends ? last : border(first, last)});
      }
      all = last == most_;
      if (!all) first = last + 1;
    };
    for (const SpeedPoint& point : speed_->points()) stretch(std::min(point.size / size_per_item_, most_));
    stretch(most_);
    return CountSet(std::move(parts));
  }

 private:
  const SpeedFunction* speed_;
  std::int64_t size_per_item_;
  std::int64_t most_;
};

// Returns the counts that the first r ranks, for r from 0 to all, can do together, up to n.
std::vector<CountSet> together(const std::vector<CountSet>& each, std::int64_t n) {
  std::vector<CountSet> sums{CountSet({{0, 0}})};
  for (const CountSet& set : each) sums.push_back(sums.back().plus(set, n));
  return sums;
}

/// Returns counts that sum to n, the targets of the search for shares: the largest feasible counts, less one item for
/// ranks with the longest times, first for those with the shortest time of one item, among equals for the last rank. If
/// the excess is larger than one item a rank, because counts jump, in proportion to the counts.
Shares wanted(const std::vector<Worker>& workers, const std::vector<CountSet>& each, std::int64_t n) {
  Shares counts;
  UnsignedWide sum = 0;
  for (const CountSet& set : each) {
    counts.push_back(std::min(set.largest(), n));
    sum += static_cast<UnsignedWide>(counts.back());
  }
  std::vector<std::size_t> order;
  for (std::size_t rank = counts.size(); rank-- > 0;) {
    if (counts[rank] > 0) order.push_back(rank);
  }
  const UnsignedWide excess = sum - static_cast<UnsignedWide>(n);
  if (excess > order.size()) return proportional_shares(n, counts);
  const auto time_without = [&](std::size_t rank, std::int64_t fewer) {  // as a fraction: items / speed
    return std::pair(static_cast<UnsignedWide>(counts[rank] - fewer),
                     static_cast<UnsignedWide>(std::max<std::int64_t>(workers[rank].speed(counts[rank] - fewer), 1)));
  };
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    for (const std::int64_t fewer : {0, 1}) {
      const auto [items_a, speed_a] = time_without(a, fewer);
      const auto [items_b, speed_b] = time_without(b, fewer);
      if (items_a * speed_b != items_b * speed_a) return items_a * speed_b > items_b * speed_a;
    }
    return false;
  });
  for (std::size_t i = 0; i < static_cast<std::size_t>(excess); ++i) --counts[order[i]];
  return counts;
}

}  // namespace

std::vector<std::int64_t> functional_shares(std::int64_t n, std::span<const SpeedFunction> speeds,
                                            std::int64_t size_per_item, std::span<const std::int64_t> most) {
  check(n, speeds, size_per_item, most);
  const auto limit = [&](std::size_t rank) { return most.empty() ? n : std::min(n, most[rank]); };
  if (std::all_of(speeds.begin(), speeds.end(), [](const SpeedFunction& speed) { return speed.is_constant(); })) {
    Shares constants;
    for (const SpeedFunction& speed : speeds) constants.push_back(speed.at(0));
    Shares shares = proportional_shares(n, constants);
    std::size_t rank = 0;
    while (rank < shares.size() && shares[rank] <= limit(rank)) ++rank;
    if (rank == shares.size()) return shares;
  }
  std::vector<Worker> workers;
  for (std::size_t rank = 0; rank < speeds.size(); ++rank) {
    workers.emplace_back(speeds[rank], size_per_item, limit(rank));
  }
  std::vector<CountSet> each(speeds.size());
  const auto can = [&](TimeLimit time) {
    std::transform(workers.begin(), workers.end(), each.begin(), [&](const Worker& w) { return w.within(time); });
    return together(each, n);
  };
  const auto time = least_time([&](TimeLimit longest) { return can(longest).back().contains(n); });
  if (!time) {
    throw Error(fmt::format("{} items, of which {} ranks together can do {} within their limits", n, speeds.size(),
                            can(TimeLimit::longest()).back().largest()),
                "share out fewer, or add ranks or memory");
  }
  const std::vector<CountSet> sums = can(*time);
  Shares shares = wanted(workers, each, n);
  for (std::size_t rank = shares.size(); rank-- > 0;) {
    shares[rank] = each[rank].nearest(shares[rank], sums[rank], n);
    n -= shares[rank];
  }
  return shares;
}

}  // namespace tombolo
