#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <limits>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include <tombolo/platform/clustering/agreement.hpp>
#include <tombolo/platform/clustering/region.hpp>

namespace tombolo::clustering {

namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();

// The distance between two groups; infinite if they must not be merged. A function may stop early above `enough` and
// return infinity.
using Distance = std::function<double(int a, int b, double enough)>;

struct Pair {
  double distance = infinite;
  std::size_t a = 0;
  std::size_t b = 0;
};

// Returns for every group the pair with its nearest group, in ascending order of distance.
std::vector<Pair> nearest_pairs(std::size_t groups, const Distance& distance) {
  std::vector<Pair> nearest(groups);
  for (std::size_t a = 0; a < groups; ++a) {
    for (std::size_t b = a + 1; b < groups; ++b) {
      const double enough = std::max(nearest[a].distance, nearest[b].distance);
      const Pair pair{distance(static_cast<int>(a), static_cast<int>(b), enough), a, b};
      if (pair.distance < nearest[a].distance) nearest[a] = pair;
      if (pair.distance < nearest[b].distance) nearest[b] = pair;
    }
  }
  std::erase_if(nearest, [](const Pair& pair) { return std::isinf(pair.distance); });
  std::ranges::sort(nearest, {}, [](const Pair& pair) { return std::tuple(pair.distance, pair.a, pair.b); });
  return nearest;
}

// Merges groups with their nearest groups, the least distance first, each group once per call. Gives the result of
// merging only the nearest pair at a time, in fewer rounds. Returns false if all distances are infinite.
bool join_nearest(Partition& groups, const Distance& distance) {
  constexpr double nothing = 1e-9;  // rounding error of a distance of zero
  constexpr std::size_t none = std::numeric_limits<std::size_t>::max();
  const std::vector<Pair> pairs = nearest_pairs(groups.size(), distance);
  std::vector<std::size_t> into(groups.size(), none);
  for (const Pair& pair : pairs) {
    // Groups at distance zero are merged all at once; further rounds would merge them one by one.
    const bool same = std::abs(pair.distance) < nothing;
    if (same && into[pair.a] == none) into[pair.a] = pair.a;
    if (same && into[pair.b] == none) into[pair.b] = into[pair.a];
    if (into[pair.a] != none || into[pair.b] != none) continue;
    into[pair.a] = into[pair.b] = pair.a;
  }
  Partition result(groups.size());
  for (std::size_t g = 0; g < groups.size(); ++g) {
    std::vector<int>& target = result[into[g] == none ? g : into[g]];
    target.insert(target.end(), groups[g].begin(), groups[g].end());
  }
  std::erase_if(result, [](const std::vector<int>& group) { return group.empty(); });
  for (std::vector<int>& group : result) std::ranges::sort(group);
  groups = std::move(result);
  return !pairs.empty();
}

// The latencies from each witness to each group: the mean over the group's hosts, and their number.
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

  // Returns the mean over the witnesses of the squared difference, relative to its noise; infinite if it exceeds the
  // noise, in total or for one witness.
  double distance(int a, int b, double noise) const {
    constexpr double most_of_one = 3.5 * 3.5;  // of a thousand normal deviates, at most about one is beyond 3.5
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
    // A sum of this number of squared normal deviates hardly ever exceeds the limit.
    if (terms == 0 || sum > terms + 3 * std::sqrt(2 * terms) + 2) return infinite;
    return sum / terms;
  }

 private:
  std::size_t width_;
  std::vector<double> means_;
  std::vector<int> counts_;
};

// Returns the smallest latency of every host.
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
  // Two hosts that are far from each other and near to others are not one group, even if all other hosts see them
  // alike.
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

namespace {

// Says whether two groups that others see alike are near each other, too: their latency is hardly above the shortest
// one of either, or they may be behind one switch, where slow hosts are nearer to fast ones than to each
// other. Then a third host is at least half as far, and no host is far slower than most.
class Nearness {
 public:
  // `more`: the difference that noise alone explains.
  Nearness(const Region& region, double bound, double more) : allowed_(std::log1p(bound) + more) {
    std::vector<double> nearest = nearest_hosts(region);
    std::erase_if(nearest, [](double latency) { return std::isinf(latency); });
    if (nearest.empty()) return;
    const auto middle = nearest.begin() + static_cast<std::ptrdiff_t>(nearest.size() / 2);
    std::nth_element(nearest.begin(), middle, nearest.end());
    slowest_ = *middle + std::log(slower_than_most);
  }

  // Both in logarithms.
  bool near(double latency, double shortest) const {
    if (latency - shortest <= allowed_) return true;
    return latency - std::log(2) <= shortest && latency <= slowest_;
  }

 private:
  double allowed_;
  double slowest_ = -infinite;
};

// Compares groups by their mean latencies. Disagreement is relative to the allowed difference of agreeing groups.
class Comparison {
 public:
  Comparison(const Blocks& blocks, const Nearness& nearness, double noise, double limit)
      : blocks_(blocks), nearness_(nearness), noise_(noise), limit_(limit) {
    for (int k = 0; k < blocks.size(); ++k) {
      double least = infinite;
      for (int other = 0; other < blocks.size(); ++other) {
        if (other != k && blocks.count(k, other) > 0) least = std::min(least, blocks.mean(k, other));
      }
      nearest_.push_back(least);
    }
  }

  // Returns the largest disagreement of two groups over all groups measured with both; infinite above 1, and if there
  // is nothing to compare.
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

  // A group of two has a single latency inside, and two single hosts have a single one between them. Among thousands of
  // such pairs a few are outliers; the wider limit keeps one outlier from separating groups that otherwise agree.
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
    return nearness_.near(blocks_.mean(a, b), least);
  }

  const Blocks& blocks_;
  const Nearness& nearness_;
  double noise_;
  double limit_;
  std::vector<double> nearest_;
  std::optional<double> worst_;
};

}  // namespace

Partition join_agreeing(const Region& region, Partition groups, double bound) {
  const double limit = std::log1p(bound);
  const double noise = region.noise(bound);
  const Nearness nearness(region, bound, 4 * noise);  // the shortest of many latencies has more noise than their mean
  for (bool joined = true; joined;) {
    const Blocks blocks(region, groups);
    Comparison comparison(blocks, nearness, noise, limit);
    joined = join_nearest(groups,
                          [&comparison](int a, int b, double enough) { return comparison.disagreement(a, b, enough); });
  }
  return groups;
}

namespace {

// The latencies from one host to every group.
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
    double pairs = 0;  // the noise is that of a mean over this number of pairs; 0 if there is nothing to compare
  };

  // Returns the difference between the host's latencies to group k and those of the other members of a group.
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

// Returns the misfit between a host's latencies and a group's mean latencies: the mean square, weighted for noise;
// infinite without data.
double misfit(const View& view, const Blocks& blocks, int group) {
  double sum = 0;
  int terms = 0;
  for (int k = 0; k < blocks.size(); ++k) {
    const View::Difference found = view.difference(blocks, group, k);
    if (found.pairs == 0) continue;
    sum += found.pairs * found.value * found.value;
    ++terms;
  }
  return terms > 0 ? sum / terms : infinite;
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
      double least = misfit(view, blocks, best) / 2;  // only a clear improvement counts
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
