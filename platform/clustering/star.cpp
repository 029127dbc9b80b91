#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

#include <tombolo/platform/clustering/blocks.hpp>
#include <tombolo/platform/clustering/own_terms.hpp>
#include <tombolo/platform/clustering/star.hpp>

namespace tombolo::clustering {

namespace {

// Errors of the fit, relative to what was measured.
class Errors {
 public:
  explicit Errors(std::size_t clusters) : clusters_(clusters), sums_(clusters * clusters), counts_(sums_.size()) {}

  void add(int a, int b, double error) {
    const auto [low, high] = std::minmax({static_cast<std::size_t>(a), static_cast<std::size_t>(b)});  // by value
    sums_[low * clusters_ + high] += error;
    ++counts_[low * clusters_ + high];
    squares_ += error * error;
  }

  // By what all pairs of two clusters miss together: a real difference shows there even if few pairs have it.
  bool small(double pairs_to_spare, double noise, double bound) const {
    // Of few squares of normal deviates the mean may be far from what it is of many.
    const double by_chance = noise * noise * (1 + 3 * std::sqrt(2 / pairs_to_spare));
    if (squares_ > pairs_to_spare * std::max(bound * bound / 9, by_chance)) return false;
    for (std::size_t i = 0; i < sums_.size(); ++i) {
      if (counts_[i] == 0) continue;
      if (std::abs(sums_[i] / counts_[i]) > bound / 2 + 3 * noise / std::sqrt(counts_[i])) return false;
    }
    return true;
  }

 private:
  std::size_t clusters_;
  std::vector<double> sums_;
  std::vector<int> counts_;
  double squares_ = 0;
};

// No host adds ten times as much as half of the others do.
bool comparable(std::vector<double> own) {
  const auto middle = own.begin() + static_cast<std::ptrdiff_t>(own.size() / 2);
  std::nth_element(own.begin(), middle, own.end());
  return *std::max_element(own.begin(), own.end()) <= 10 * *middle;
}

// Less what each host adds, all clusters are equally far from every cluster outside.
bool agree_outside(const Region& region, const std::vector<int>& cluster, std::size_t clusters,
                   const std::vector<int>& hosts, const std::vector<double>& own, double bound) {
  const double noise = region.noise(bound);
  std::vector<bool> inside(clusters);
  for (const int host : hosts) inside[static_cast<std::size_t>(cluster[static_cast<std::size_t>(host)])] = true;
  for (std::size_t k = 0; k < clusters; ++k) {
    if (inside[k]) continue;
    std::vector<double> sums(clusters);
    std::vector<int> counts(clusters);
    for (std::size_t i = 0; i < hosts.size(); ++i) {
      const auto a = static_cast<std::size_t>(cluster[static_cast<std::size_t>(hosts[i])]);
      for (int other = 0; other < region.size(); ++other) {
        if (cluster[static_cast<std::size_t>(other)] != static_cast<int>(k)) continue;
        if (!region.measured(hosts[i], other)) continue;
        sums[a] += std::exp(region.log(hosts[i], other)) - own[i];
        ++counts[a];
      }
    }
    double least = std::numeric_limits<double>::infinity();
    double most = 0;
    for (std::size_t a = 0; a < clusters; ++a) {
      if (counts[a] == 0) continue;
      const double mean = sums[a] / counts[a];
      const double spread = noise / std::sqrt(counts[a]);
      least = std::min(least, mean * (1 + spread));
      most = std::max(most, mean * (1 - spread));
    }
    if (most > 0 && most > (1 + bound) * least) return false;
  }
  return true;
}

}  // namespace

bool is_star(const Region& region, const Partition& clusters, const std::vector<int>& members, double bound) {
  const std::vector<int> cluster = group_of(region.size(), clusters);
  std::vector<int> hosts;
  for (const int member : members) {
    const std::vector<int>& more = clusters[static_cast<std::size_t>(member)];
    hosts.insert(hosts.end(), more.begin(), more.end());
  }
  if (hosts.size() < 4) return false;

  std::vector<MeasuredPair> pairs;
  for (std::size_t i = 0; i < hosts.size(); ++i) {
    for (std::size_t j = i + 1; j < hosts.size(); ++j) {
      if (!region.measured(hosts[i], hosts[j])) continue;
      pairs.push_back({static_cast<int>(i), static_cast<int>(j), std::exp(region.log(hosts[i], hosts[j]))});
    }
  }
  if (4 * pairs.size() < 5 * hosts.size()) return false;

  const std::vector<double> own = own_terms(static_cast<int>(hosts.size()), pairs);
  if (!comparable(own)) return false;
  Errors errors(clusters.size());
  for (const MeasuredPair& pair : pairs) {
    const auto a = static_cast<std::size_t>(pair.a);
    const auto b = static_cast<std::size_t>(pair.b);
    errors.add(cluster[static_cast<std::size_t>(hosts[a])], cluster[static_cast<std::size_t>(hosts[b])],
               (own[a] + own[b]) / pair.latency - 1);
  }
  const double noise = region.noise(bound);
  return errors.small(static_cast<double>(pairs.size() - hosts.size()), noise, bound) &&
         agree_outside(region, cluster, clusters.size(), hosts, own, bound);
}

}  // namespace tombolo::clustering
