#pragma once

#include <vector>

#include <tombolo/models/laboratory.hpp>
#include <tombolo/models/pair_classes.hpp>

namespace tombolo {

/// A few pairs of each class, which stand for all of it.
class SampledPairs {
 public:
  static constexpr int usual = 3;
  explicit SampledPairs(const PairClasses& classes, int most_of_class = usual)
      : SampledPairs(classes, most_of_class, most_of_class) {}
  /// With another number for classes of pairs in two clusters.
  SampledPairs(const PairClasses& classes, int most_inside, int most_between);

  std::size_t size() const { return pairs_.size(); }
  int classes() const { return classes_; }
  std::pair<Rank, Rank> pair(std::size_t index) const { return pairs_[index]; }
  int class_of(std::size_t index) const { return class_of_[index]; }

  /// By class, the median of figures by pair; of two the larger one.
  std::vector<Picoseconds> medians(const std::vector<Picoseconds>& by_pair) const;
  /// Makes the experiment between all pairs (a and b are filled in); medians by class. Collective.
  std::vector<Picoseconds> measure(Laboratory& laboratory, Experiment experiment, const Repeat& repeat = {}) const;
  /// The gap of messages of so many bytes, by measure_gaps; medians by class. Collective.
  std::vector<Picoseconds> gaps(Laboratory& laboratory, Bytes bytes) const;

 private:
  int classes_;
  std::vector<std::pair<Rank, Rank>> pairs_;
  std::vector<int> class_of_;
};

}  // namespace tombolo
