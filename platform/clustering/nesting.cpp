#include <algorithm>
#include <cmath>
#include <utility>

#include <tombolo/platform/clustering/agreement.hpp>
#include <tombolo/platform/clustering/blocks.hpp>
#include <tombolo/platform/clustering/islands.hpp>
#include <tombolo/platform/clustering/nesting.hpp>
#include <tombolo/platform/clustering/star.hpp>

namespace tombolo::clustering {

namespace {

Partition find_agreeing(const Region& region, double bound) {
  Partition clusters = find_twins(region, bound);
  clusters = join_agreeing(region, std::move(clusters), bound);
  Partition settled = settle_hosts(region, clusters, bound);
  return settled == clusters ? clusters : join_agreeing(region, std::move(settled), bound);
}

// The widest first: inside a network that is one cluster nothing else is looked for.
Partition join_stars(const Region& region, Partition clusters, double bound) {
  std::vector<std::vector<int>> sets = near_sets(Blocks(region, clusters), bound);
  std::reverse(sets.begin(), sets.end());
  std::vector<bool> gone(clusters.size());
  Partition stars;
  for (const std::vector<int>& set : sets) {
    if (set.size() < 2 || gone[static_cast<std::size_t>(set.front())]) continue;
    if (!is_star(region, clusters, set, bound)) continue;
    std::vector<int> hosts;
    for (const int member : set) {
      const std::vector<int>& more = clusters[static_cast<std::size_t>(member)];
      hosts.insert(hosts.end(), more.begin(), more.end());
      gone[static_cast<std::size_t>(member)] = true;
    }
    std::ranges::sort(hosts);
    stars.push_back(std::move(hosts));
  }
  for (std::size_t i = 0; i < clusters.size(); ++i) {
    if (!gone[i]) stars.push_back(std::move(clusters[i]));
  }
  return stars;
}

// Builds the tree of nested sets of clusters.
class Nesting {
 public:
  Nesting(const Region& region, const Partition& clusters, double bound)
      : region_(region), clusters_(clusters), blocks_(region, clusters), bound_(bound) {
    const double noise = region.noise(bound);
    sets_ = near_sets(blocks_, bound);
    std::erase_if(sets_, [&](const std::vector<int>& set) { return !agree_outside(blocks_, set, noise, bound); });
  }

  HostGroup whole() const { return group(sets_.size() - 1); }

 private:
  HostGroup cluster(int index) const {
    HostGroup found;
    for (const int host : clusters_[static_cast<std::size_t>(index)]) found.hosts.push_back(region_.host(host));
    return found;
  }

  HostGroup group(std::size_t set) const {
    if (sets_[set].size() == 1) return cluster(sets_[set].front());
    HostGroup found;
    std::vector<int> apart = sets_[set];  // clusters in no inner set
    bool nested = false;
    for (std::size_t inner = set; inner-- > 0;) {
      if (!std::ranges::includes(apart, sets_[inner])) continue;  // outside, or in a wider inner one
      found.groups.push_back(group(inner));
      std::erase_if(apart, [&](int member) { return std::ranges::binary_search(sets_[inner], member); });
      nested = true;
    }
    for (const int member : apart) found.groups.push_back(cluster(member));
    std::ranges::sort(found.groups, {}, [](const HostGroup& one) { return one.hosts.front(); });
    for (const HostGroup& one : found.groups) {
      found.hosts.insert(found.hosts.end(), one.hosts.begin(), one.hosts.end());
    }
    std::ranges::sort(found.hosts);
    if (!nested && irregular(sets_[set])) found.groups.clear();
    return found;
  }

  // Mostly single hosts, and nothing among them that is clearly a cluster.
  bool irregular(const std::vector<int>& set) const {
    std::size_t hosts = 0;
    std::size_t single = 0;
    for (const int member : set) {
      const std::size_t size = clusters_[static_cast<std::size_t>(member)].size();
      hosts += size;
      single += size == 1 ? 1 : 0;
      if (size > 1 && stands_alone(blocks_, member, bound_)) return false;
    }
    return 2 * single > hosts;
  }

  const Region& region_;
  const Partition& clusters_;
  Blocks blocks_;
  double bound_;
  std::vector<std::vector<int>> sets_;
};

}  // namespace

HostGroup measured_groups(const Region& region, double bound) {
  const Partition clusters = join_stars(region, find_agreeing(region, bound), bound);
  return Nesting(region, clusters, bound).whole();
}

}  // namespace tombolo::clustering
