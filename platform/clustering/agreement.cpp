#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include <tombolo/platform/clustering/agreement.hpp>
#include <tombolo/platform/clustering/blocks.hpp>
#include <tombolo/platform/clustering/nearest.hpp>

namespace tombolo::clustering {

namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();

// Compares groups by their mean latencies. The unit of disagreement is the most that agreeing groups may have.
class Comparison {
 public:
  Comparison(const Blocks& blocks, double noise, double limit) : blocks_(blocks), noise_(noise), limit_(limit) {
    for (int k = 0; k < blocks.size(); ++k) {
      double least = infinite;
      for (int other = 0; other < blocks.size(); ++other) {
        if (other != k && blocks.count(k, other) > 0) least = std::min(least, blocks.mean(k, other));
      }
      nearest_.push_back(least);
    }
  }

  // The largest difference between what two groups have in common; infinite above 1, or with nothing to compare.
  double disagreement(int a, int b, double enough) {
    worst_.reset();
    const Mean both = mean(a, b);
    const double allowed = both.pairs == 1 ? noise_of_means : noise_of_pairs;
    compare(both, mean(a, a), allowed);
    compare(both, mean(b, b), allowed);
    compare(mean(a, a), mean(b, b), noise_of_pairs);
    for (int k = 0; k < blocks_.size(); ++k) {
      if (k != a && k != b) compare(mean(a, k), mean(b, k), noise_of_pairs);
      if (worst_ && (*worst_ > 1 || *worst_ >= enough)) return infinite;
    }
    if (!worst_ || *worst_ > 1 || !near(a, b)) return infinite;
    return *worst_;
  }

 private:
  struct Mean {
    double value;
    int pairs;
  };
  Mean mean(int a, int b) const { return {blocks_.mean(a, b), blocks_.count(a, b)}; }

  // A group of two has one latency inside, and two single hosts have one between them: among some thousand such pairs
  // a few are far off, and one of them must not keep groups apart that all else says are one.
  void compare(Mean a, Mean b, double of_single_pairs) {
    if (a.pairs == 0 || b.pairs == 0) return;
    const double deviation = noise_ * std::sqrt(1.0 / a.pairs + 1.0 / b.pairs);
    const double allowed = (std::min(a.pairs, b.pairs) == 1 ? of_single_pairs : noise_of_means) * deviation;
    const double found = std::abs(a.value - b.value) / std::max(limit_, allowed);
    worst_ = std::max(found, worst_.value_or(found));
  }

  bool near(int a, int b) const {
    if (blocks_.count(a, b) == 0) return true;
    const double least = std::min(nearest_[static_cast<std::size_t>(a)], nearest_[static_cast<std::size_t>(b)]);
    return blocks_.mean(a, b) - least <= limit_ + 4 * noise_;  // the least of many, so noise tells for more
  }

  const Blocks& blocks_;
  double noise_;
  double limit_;
  std::vector<double> nearest_;
  std::optional<double> worst_;
};

}  // namespace

Partition join_agreeing(const Region& region, Partition groups, double bound) {
  const double limit = std::log1p(bound);
  const double noise = region.noise(bound);
  for (bool joined = true; joined;) {
    const Blocks blocks(region, groups);
    Comparison comparison(blocks, noise, limit);
    joined = join_nearest(groups,
                          [&comparison](int a, int b, double enough) { return comparison.disagreement(a, b, enough); });
  }
  return groups;
}

}  // namespace tombolo::clustering
