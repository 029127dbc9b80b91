#include <tombolo/platform/clustering/blocks.hpp>

namespace tombolo::clustering {

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
