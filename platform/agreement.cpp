#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include <tombolo/platform/agreement.hpp>
#include <tombolo/platform/blocks.hpp>
#include <tombolo/platform/nearest.hpp>

namespace tombolo {

namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();

// Compares groups by their mean latencies. What noise makes of a difference (one standard deviation) is taken off.
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

  // The largest difference between what two groups have in common; infinite above the limit, or with nothing to compare.
  double disagreement(int a, int b, double enough) {
    worst_.reset();
    compare(a, a, a, b);
    compare(b, b, a, b);
    compare(a, a, b, b);
    for (int k = 0; k < blocks_.size(); ++k) {
      if (k != a && k != b) compare(a, k, b, k);
      if (worst_ && (*worst_ > limit_ || *worst_ >= enough)) return infinite;
    }
    return worst_ && *worst_ <= limit_ && near(a, b) ? *worst_ : infinite;
  }

 private:
  void compare(int a, int b, int c, int d) {
    const int first = blocks_.count(a, b);
    const int second = blocks_.count(c, d);
    if (first == 0 || second == 0) return;
    const double spread = noise_ * std::sqrt(1.0 / first + 1.0 / second);
    const double found = std::abs(blocks_.mean(a, b) - blocks_.mean(c, d)) - spread;
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
  const double noise = std::min(region.noise(), limit / 4);
  for (bool joined = true; joined;) {
    const Blocks blocks(region, groups);
    Comparison comparison(blocks, noise, limit);
    joined = join_nearest(
        groups, [&comparison](int a, int b, double enough) { return comparison.disagreement(a, b, enough); });
  }
  return groups;
}

}  // namespace tombolo
