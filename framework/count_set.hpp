#pragma once

#include <cstdint>
#include <vector>

namespace tombolo {

/// A set of numbers of items, as intervals: sorted, none touching another.
class CountSet {
 public:
  struct Interval {
    std::int64_t first = 0;
    std::int64_t last = 0;
    bool operator==(const Interval&) const = default;
  };

  CountSet() = default;
  /// Of intervals in any order, which may touch and overlap. Above `most_intervals` the shortest are left out.
  explicit CountSet(std::vector<Interval> intervals);

  bool contains(std::int64_t count) const;
  /// Must not be empty.
  std::int64_t largest() const { return intervals_.back().last; }
  const std::vector<Interval>& intervals() const { return intervals_; }

  /// All sums, up to n, of a number of this set and one of the other.
  CountSet plus(const CountSet& other, std::int64_t n) const;
  /// The number of this set that is nearest to `wanted` among those that leave one of `rest` of n, the lower of two; -1
  /// where there is none.
  std::int64_t nearest(std::int64_t wanted, const CountSet& rest, std::int64_t n) const;

  static constexpr std::size_t most_intervals = 1000;

 private:
  std::vector<Interval> intervals_;
};

}  // namespace tombolo
