#include <algorithm>
#include <cmath>
#include <limits>

#include <tombolo/platform/clustering/agreement.hpp>
#include <tombolo/platform/clustering/nearest.hpp>

namespace tombolo::clustering {

namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();

// What each witness sees of each group: the mean over its hosts, and over how many.
class Views {
 public:
  Views(const Region& region, const Partition& groups)
      : width_(region.witnesses().size()), means_(groups.size() * width_), counts_(means_.size()) {
    for (std::size_t g = 0; g < groups.size(); ++g) {
      for (std::size_t w = 0; w < width_; ++w) {
        const std::size_t at = g * width_ + w;
        for (const int host : groups[g]) {
          if (!region.measured(host, region.witnesses()[w])) continue;
          means_[at] += region.log(host, region.witnesses()[w]);
          ++counts_[at];
        }
        if (counts_[at] > 0) means_[at] /= counts_[at];
      }
    }
  }

  // The mean over the witnesses of the squared difference in units of what noise makes of it; infinite where that is
  // more than noise would, in all or in one witness's eyes.
  double distance(int a, int b, double noise) const {
    constexpr double most_of_one = 3.5 * 3.5;  // of a thousand normal deviates, one or none is beyond 3.5
    const std::size_t at_a = static_cast<std::size_t>(a) * width_;
    const std::size_t at_b = static_cast<std::size_t>(b) * width_;
    double sum = 0;
    double terms = 0;
    for (std::size_t w = 0; w < width_; ++w) {
      const double n_a = counts_[at_a + w];
      const double n_b = counts_[at_b + w];
      if (n_a == 0 || n_b == 0) continue;
      const double difference = means_[at_a + w] - means_[at_b + w];
      const double square = difference * difference * n_a * n_b / ((n_a + n_b) * noise * noise);
      if (square > most_of_one) return infinite;
      sum += square;
      ++terms;
    }
    // A sum of so many squares of normal deviates is hardly ever above this.
    if (terms == 0 || sum > terms + 3 * std::sqrt(2 * terms) + 2) return infinite;
    return sum / terms;
  }

 private:
  std::size_t width_;
  std::vector<double> means_;
  std::vector<int> counts_;
};

// The least latency of every host.
std::vector<double> nearest_hosts(const Region& region) {
  std::vector<double> nearest(static_cast<std::size_t>(region.size()), infinite);
  for (int i = 0; i < region.size(); ++i) {
    double& least = nearest[static_cast<std::size_t>(i)];
    for (int j = 0; j < region.size(); ++j) {
      if (region.measured(i, j)) least = std::min(least, region.log(i, j));
    }
  }
  return nearest;
}

}  // namespace

Partition find_twins(const Region& region, double bound) {
  Partition groups;
  for (int i = 0; i < region.size(); ++i) groups.push_back({i});
  const double noise = std::max(region.noise(bound), bound / 40);
  // Two that are far from each other and near to others are not one group, even if all others see them alike.
  const double near = std::log1p(bound) + 4 * noise;

  const std::vector<double> nearest = nearest_hosts(region);
  const auto far = [&](int i, int j) {
    const double least = std::min(nearest[static_cast<std::size_t>(i)], nearest[static_cast<std::size_t>(j)]);
    return region.measured(i, j) && region.log(i, j) - least > near;
  };

  for (bool joined = true; joined;) {
    const Views views(region, groups);
    joined = join_nearest(groups, [&](int a, int b, double /*enough*/) {
      const double found = views.distance(a, b, noise);
      const int i = groups[static_cast<std::size_t>(a)].front();
      const int j = groups[static_cast<std::size_t>(b)].front();
      if (!std::isinf(found) && far(i, j)) return infinite;
      return found;
    });
  }
  return groups;
}

}  // namespace tombolo::clustering
