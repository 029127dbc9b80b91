#include <algorithm>
#include <utility>

#include <tombolo/framework/partition/count_set.hpp>

namespace tombolo {

namespace {

using Interval = CountSet::Interval;

void leave_out_shortest(std::vector<Interval>& intervals) {
  const auto length = [](const Interval& interval) { return interval.last - interval.first; };
  std::stable_sort(intervals.begin(), intervals.end(),
                   [&](const Interval& a, const Interval& b) { return length(a) > length(b); });
  intervals.resize(CountSet::most_intervals);
  std::sort(intervals.begin(), intervals.end(), [](const Interval& a, const Interval& b) { return a.first < b.first; });
}

}  // namespace

CountSet::CountSet(std::vector<Interval> intervals) {
  std::sort(intervals.begin(), intervals.end(), [](const Interval& a, const Interval& b) { return a.first < b.first; });
  for (const Interval& next : intervals) {
    if (!intervals_.empty() && next.first - 1 <= intervals_.back().last) {
      intervals_.back().last = std::max(intervals_.back().last, next.last);
    } else {
      intervals_.push_back(next);
    }
  }
  if (intervals_.size() > most_intervals) leave_out_shortest(intervals_);
}

bool CountSet::contains(std::int64_t count) const {
  const auto after = std::upper_bound(intervals_.begin(), intervals_.end(), count,
                                      [](std::int64_t c, const Interval& interval) { return c < interval.first; });
  return after != intervals_.begin() && count <= (after - 1)->last;
}

CountSet CountSet::plus(const CountSet& other, std::int64_t n) const {
  std::vector<Interval> sums;
  for (const Interval& mine : intervals_) {
    if (mine.first > n) break;
    for (const Interval& its : other.intervals_) {
      if (its.first > n - mine.first) break;
      const bool beyond = mine.last >= n || its.last > n - mine.last;
      sums.push_back({mine.first + its.first, beyond ? n : mine.last + its.last});
    }
  }
  return CountSet(std::move(sums));
}

std::int64_t CountSet::nearest(std::int64_t wanted, const CountSet& rest, std::int64_t n) const {
  std::int64_t best = -1;
  const auto distance = [wanted](std::int64_t count) { return count > wanted ? count - wanted : wanted - count; };
  for (const Interval& mine : intervals_) {
    for (const Interval& left : rest.intervals_) {
      const std::int64_t low = std::max(mine.first, n - left.last);
      const std::int64_t high = std::min(mine.last, n - left.first);
      if (low > high) continue;
      const std::int64_t count = std::clamp(wanted, low, high);
      if (best < 0 || distance(count) < distance(best)) best = count;
    }
  }
  return best;
}

}  // namespace tombolo
