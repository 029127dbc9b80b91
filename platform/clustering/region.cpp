#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include <tombolo/platform/clustering/latencies.hpp>
#include <tombolo/platform/clustering/region.hpp>

namespace tombolo::clustering {

namespace {

// Returns every k-th element, at most `most` of them: enough for an estimate, in bounded time.
std::vector<int> sample(const std::vector<int>& all, std::size_t most) {
  const std::size_t step = (all.size() + most - 1) / most;
  std::vector<int> some;
  for (std::size_t i = 0; i < all.size(); i += std::max<std::size_t>(step, 1)) some.push_back(all[i]);
  return some;
}

double quantile(std::vector<double>& values, double part) {
  const auto at = values.begin() + static_cast<std::ptrdiff_t>(part * static_cast<double>(values.size()));
  std::nth_element(values.begin(), at, values.end());
  return *at;
}

}  // namespace

Region::Region(const Latencies& latencies, std::vector<int> hosts, double bound)
    : hosts_(std::move(hosts)), logs_(hosts_.size() * hosts_.size(), -1) {
  const Picoseconds noise = noise_floor(latencies, hosts_, bound);
  const Picoseconds floor = std::max(noise, latencies.overhead());
  const double raised_by = static_cast<double>(floor) / bound;
  // Half of the noise floor is the usual error.
  const std::vector<bool> doubtful =
      doubtful_pairs(latencies, hosts_, bound, noise > 0 ? noise / 2 : latencies.overhead());
  for (int i = 0; i < size(); ++i) {
    for (int j = i + 1; j < size(); ++j) {
      const auto found = latencies.between(host(i), host(j));
      if (!found || doubtful[index(i, j)]) continue;
      const double value = std::log(std::max(static_cast<double>(found->value) + raised_by, 1.0));
      logs_[index(i, j)] = value;
      logs_[index(j, i)] = value;
    }
  }
  find_witnesses();
  estimate_noise();
  // The noise floor is two intervals, that is four standard deviations. Most hosts may be much nearer to each other;
  // the remaining ones are still not split.
  if (noise > 0) noise_ = std::max(noise_, static_cast<double>(noise) / 4 / raised_by);
}

void Region::find_witnesses() {
  std::vector<int> partners(hosts_.size());
  for (int i = 0; i < size(); ++i) {
    for (int j = 0; j < size(); ++j) partners[static_cast<std::size_t>(i)] += measured(i, j) ? 1 : 0;
  }
  const int most = partners.empty() ? 0 : *std::max_element(partners.begin(), partners.end());
  for (int i = 0; i < size(); ++i) {
    const int own = partners[static_cast<std::size_t>(i)];
    if (own > 0 && 2 * own >= most) witnesses_.push_back(i);
  }
}

// The most similar host is chosen by one half of the witnesses, and the difference is measured by the other half; with
// the same witnesses for both, the best of many would look better than it is.
void Region::estimate_noise() {
  const std::vector<int> seen_by = sample(witnesses_, 128);
  std::vector<int> all(hosts_.size());
  for (int i = 0; i < size(); ++i) all[static_cast<std::size_t>(i)] = i;

  std::vector<double> spreads;
  std::vector<double> differences;
  for (const int i : sample(all, 128)) {
    int nearest = -1;
    double least = std::numeric_limits<double>::infinity();
    for (const int j : all) {
      if (i == j) continue;
      double sum = 0;
      int terms = 0;
      for (std::size_t w = 0; w < seen_by.size(); w += 2) {
        if (!measured(i, seen_by[w]) || !measured(j, seen_by[w])) continue;
        sum += std::pow(log(i, seen_by[w]) - log(j, seen_by[w]), 2);
        ++terms;
      }
      if (terms < 2 || sum / terms >= least) continue;
      least = sum / terms;
      nearest = j;
    }
    if (nearest < 0) continue;
    differences.clear();
    for (std::size_t w = 1; w < seen_by.size(); w += 2) {
      if (!measured(i, seen_by[w]) || !measured(nearest, seen_by[w])) continue;
      differences.push_back(std::abs(log(i, seen_by[w]) - log(nearest, seen_by[w])));
    }
    // Half of all normal deviates are below 0.6745; a difference has the noise of two latencies.
    if (differences.size() > 2) spreads.push_back(quantile(differences, 0.5) / (0.6745 * std::sqrt(2.0)));
  }
  // Uses the lower quartile, since the other hosts may have no equal.
  if (!spreads.empty()) noise_ = quantile(spreads, 0.25) * 1.1;
}

std::vector<int> group_of(int hosts, const Partition& groups) {
  std::vector<int> group(static_cast<std::size_t>(hosts), -1);
  for (std::size_t g = 0; g < groups.size(); ++g) {
    for (const int host : groups[g]) group[static_cast<std::size_t>(host)] = static_cast<int>(g);
  }
  return group;
}

Blocks::Blocks(const Region& region, const Partition& groups)
    : size_(static_cast<int>(groups.size())), means_(groups.size() * groups.size()), counts_(means_.size()) {
  const std::vector<int> group = group_of(region.size(), groups);
  for (int i = 0; i < region.size(); ++i) {
    const int a = group[static_cast<std::size_t>(i)];
    if (a < 0) continue;
    for (int j = i + 1; j < region.size(); ++j) {
      const int b = group[static_cast<std::size_t>(j)];
      if (b < 0 || !region.measured(i, j)) continue;
      means_[index(a, b)] += region.log(i, j);
      ++counts_[index(a, b)];
      if (a == b) continue;
      means_[index(b, a)] += region.log(i, j);
      ++counts_[index(b, a)];
    }
  }
  for (std::size_t i = 0; i < means_.size(); ++i) {
    if (counts_[i] > 0) means_[i] /= counts_[i];
  }
}

}  // namespace tombolo::clustering
