#include "predict/growth.hpp"

#include <algorithm>
#include <utility>

namespace tombolo::predicting {

namespace {

std::vector<std::string> names_of(const std::vector<ClusterUse>& uses) {
  std::vector<std::string> names;
  for (const ClusterUse& use : uses) {
    if (use.used > 0) names.push_back(use.name);
  }
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

}  // namespace

std::vector<Step> find_steps(const std::vector<Sized>& known, const std::function<Sized(std::int64_t)>& predict) {
  std::vector<Step> steps;
  for (std::size_t i = 1; i < known.size(); ++i) {
    std::int64_t low = known[i - 1].size;
    int before = clusters_used(known[i - 1].uses);
    if (!steps.empty()) before = std::max(before, steps.back().clusters);
    while (before < clusters_used(known[i].uses)) {
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
      before = clusters_used(at_high);
      steps.push_back({before, high, names_of(at_high)});
      low = high;
    }
  }
  return steps;
}

}  // namespace tombolo::predicting
