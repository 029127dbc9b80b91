#include "predict/growth.hpp"

#include <algorithm>
#include <bit>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include <tombolo/platform.hpp>
#include <tombolo/session.hpp>

namespace tombolo::predicting {

namespace {

/// Returns the names of the first clusters, which have the largest shares.
std::vector<std::string> names_of(const std::vector<ClusterUse>& uses, int count) {
  std::vector<std::string> names;
  for (int i = 0; i < count; ++i) names.push_back(uses[static_cast<std::size_t>(i)].name);
  return names;
}

/// A size of two digits near the middle of two sizes; the lower one if there is none between.
std::int64_t between(std::int64_t low, std::int64_t high) {
  const std::int64_t middle = low + (high - low) / 2;
  std::int64_t unit = 1;
  while (middle / unit >= 100) unit *= 10;
  for (const std::int64_t size : {middle / unit * unit, (middle / unit + 1) * unit}) {
    if (size > low && size < high) return size;
  }
  return low;
}

/// Clusters in the order in which they would be taken, each as its ranks.
std::vector<const Level*> in_order(const Platform& platform, std::optional<Rank> root) {
  std::vector<std::pair<std::pair<bool, double>, const Level*>> all;
  for (const Level* const cluster : clusters(platform.levels)) {
    double speed = 0;
    for (const Rank rank : cluster->ranks) {
      speed += static_cast<double>(platform.processors[static_cast<std::size_t>(rank)].speed);
    }
    const bool has_root = root && std::binary_search(cluster->ranks.begin(), cluster->ranks.end(), *root);
    all.push_back({{has_root, speed}, cluster});
  }
  std::stable_sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
  std::vector<const Level*> ordered;
  for (const auto& [key, cluster] : all) ordered.push_back(cluster);
  return ordered;
}

constexpr std::size_t few = 4;  // clusters, each of which is one more curve

}  // namespace

std::vector<OnClusters> on_fewer_clusters(const Session& imagined, const Predictor& predictor,
                                          const std::vector<std::int64_t>& sizes) {
  std::vector<OnClusters> all;
  const std::vector<const Level*> ordered = in_order(imagined.platform(), predictor.root);
  std::vector<Rank> members;
  for (std::size_t count = 1; count < ordered.size(); ++count) {
    const Level& added = *ordered[count - 1];
    members.insert(members.end(), added.ranks.begin(), added.ranks.end());
    if (ordered.size() > few && std::popcount(count) > 1) continue;
    std::sort(members.begin(), members.end());
    Session part(imagined, members);
    const auto root = std::find(members.begin(), members.end(), predictor.root.value_or(members.front()));
    OnClusters some{count == 1 ? "1 cluster: " + added.name : fmt::format("{} clusters", count), {}};
    for (const std::int64_t size : sizes) {
      const Prediction found = predictor.predict(part, size, static_cast<Rank>(root - members.begin()));
      some.seconds.emplace_back(size, found.predicted_s());
    }
    all.push_back(std::move(some));
  }
  return all;
}

std::vector<int> least_clusters(const std::vector<Sized>& known) {
  std::vector<int> least;
  for (const Sized& sized : known) least.push_back(clusters_used(sized.uses));
  for (std::size_t i = least.size() - 1; i-- > 0;) least[i] = std::min(least[i], least[i + 1]);
  return least;
}

std::vector<Step> find_steps(const std::vector<Sized>& known, const std::function<Sized(std::int64_t)>& predict) {
  std::vector<Step> steps;
  const std::vector<int> least = least_clusters(known);
  for (std::size_t i = 1; i < known.size(); ++i) {
    std::int64_t low = known[i - 1].size;
    for (int before = least[i - 1]; before < least[i];) {
      std::int64_t high = known[i].size;
      std::vector<ClusterUse> at_high = known[i].uses;
      for (std::int64_t size = between(low, high); size != low; size = between(low, high)) {
        Sized found = predict(size);
        if (clusters_used(found.uses) > before) {
          high = size;
          at_high = std::move(found.uses);
        } else {
          low = size;
        }
      }
      before = std::min(clusters_used(at_high), least[i]);
      steps.push_back({before, high, names_of(at_high, before)});
      low = high;
    }
  }
  return steps;
}

}  // namespace tombolo::predicting
