#pragma once

#include <cstdint>
#include <vector>

namespace tombolo {

/// A set of item counts, as intervals: sorted, neither overlapping nor adjacent.
class CountSet {
 public:
  struct Interval {
    std::int64_t first = 0;
    std::int64_t last = 0;
    bool operator==(const Interval&) const = default;
  };

  CountSet() = default;
  /// Makes a set of intervals in any order, possibly adjacent or overlapping. Above `most_intervals` the shortest are
  /// dropped.
  explicit CountSet(std::vector<Interval> intervals);

  bool contains(std::int64_t count) const;
  /// Returns the largest count; the set must not be empty.
  std::int64_t largest() const { return intervals_.back().last; }
  const std::vector<Interval>& intervals() const { return intervals_; }

  /// Returns all sums up to n of a count of this set and one of `other`.
  CountSet plus(const CountSet& other, std::int64_t n) const;
  /// Returns the count of this set nearest to `wanted` whose complement to n is in `rest`, the lower of two; -1 if
  /// there is none.
  std::int64_t nearest(std::int64_t wanted, const CountSet& rest, std::int64_t n) const;

  static constexpr std::size_t most_intervals = 1000;

 private:
  std::vector<Interval> intervals_;
};

}  // namespace tombolo
