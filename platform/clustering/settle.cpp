#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>

#include <tombolo/platform/clustering/agreement.hpp>
#include <tombolo/platform/clustering/blocks.hpp>

namespace tombolo::clustering {

namespace {

// What one host has measured to every group.
class View {
 public:
  View(const Region& region, int host, const std::vector<int>& group, int groups)
      : own_(group[static_cast<std::size_t>(host)]),
        sums_(static_cast<std::size_t>(groups)),
        counts_(static_cast<std::size_t>(groups)) {
    for (int other = 0; other < region.size(); ++other) {
      if (!region.measured(host, other)) continue;
      const auto k = static_cast<std::size_t>(group[static_cast<std::size_t>(other)]);
      sums_[k] += region.log(host, other);
      ++counts_[k];
    }
  }

  struct Difference {
    double value = 0;
    double pairs = 0;  // it has the noise of a mean over so many; 0 where there is nothing to compare
  };

  // Between its latencies to group k and those of the other members of a group.
  Difference difference(const Blocks& blocks, int group, int k) const {
    const double seen = counts_[static_cast<std::size_t>(k)];
    double sum = blocks.mean(group, k) * blocks.count(group, k);
    double count = blocks.count(group, k);
    if (group == own_)
      take_out(sum, count, k);
    else if (k == own_)
      take_out(sum, count, group);
    if (seen == 0 || count == 0) return {};
    return {sums_[static_cast<std::size_t>(k)] / seen - sum / count, seen * count / (seen + count)};
  }

  int own() const { return own_; }

 private:
  void take_out(double& sum, double& count, int k) const {
    sum -= sums_[static_cast<std::size_t>(k)];
    count -= counts_[static_cast<std::size_t>(k)];
  }

  int own_;
  std::vector<double> sums_;
  std::vector<int> counts_;
};

// How unlike a group's mean latencies a host's are: the mean of squares, weighted for noise; infinite where nothing
// tells.
double misfit(const View& view, const Blocks& blocks, int group) {
  double sum = 0;
  int terms = 0;
  for (int k = 0; k < blocks.size(); ++k) {
    const View::Difference found = view.difference(blocks, group, k);
    if (found.pairs == 0) continue;
    sum += found.pairs * found.value * found.value;
    ++terms;
  }
  return terms > 0 ? sum / terms : std::numeric_limits<double>::infinity();
}

bool disagrees(const View& view, const Blocks& blocks, double noise, double limit) {
  for (int k = 0; k < blocks.size(); ++k) {
    const View::Difference found = view.difference(blocks, view.own(), k);
    if (found.pairs == 0) continue;
    const bool single = found.pairs < 1 && k != view.own();  // one measurement, compared with others
    const double allowed = (single ? noise_of_pairs : noise_of_means) * noise / std::sqrt(found.pairs);
    if (std::abs(found.value) > std::max(limit, allowed)) return true;
  }
  return false;
}

}  // namespace

Partition settle_hosts(const Region& region, const Partition& groups, double bound) {
  const Blocks blocks(region, groups);
  const int number = blocks.size();
  const std::vector<int> group = group_of(region.size(), groups);
  Partition settled(groups.size());
  for (int host = 0; host < region.size(); ++host) {
    const View view(region, host, group, number);
    int best = view.own();
    if (groups[static_cast<std::size_t>(best)].size() > 1) {
      double least = misfit(view, blocks, best) / 2;  // only what is clearly better counts
      for (int g = 0; g < number; ++g) {
        if (g == view.own() || groups[static_cast<std::size_t>(g)].size() < 2) continue;
        const double found = misfit(view, blocks, g);
        if (found >= least) continue;
        least = found;
        best = g;
      }
      if (best == view.own() && disagrees(view, blocks, region.noise(bound), std::log1p(bound))) {
        settled.push_back({host});
        continue;
      }
    }
    settled[static_cast<std::size_t>(best)].push_back(host);
  }
  std::erase_if(settled, [](const std::vector<int>& one) { return one.empty(); });
  return settled;
}

}  // namespace tombolo::clustering
