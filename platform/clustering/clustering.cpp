#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <numeric>
#include <span>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <tombolo/platform/clustering/agreement.hpp>
#include <tombolo/platform/clustering/clustering.hpp>
#include <tombolo/platform/clustering/latency_parts.hpp>
#include <tombolo/platform/clustering/region.hpp>
#include <tombolo/units.hpp>

namespace tombolo::clustering {

namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();

std::vector<bool> membership(const Blocks& blocks, const std::vector<int>& set) {
  std::vector<bool> inside(static_cast<std::size_t>(blocks.size()));
  for (const int member : set) inside[static_cast<std::size_t>(member)] = true;
  return inside;
}

bool is_near(const Blocks& blocks, const std::vector<int>& set, double bound) {
  const std::vector<bool> inside = membership(blocks, set);
  double farthest_inside = -infinite;
  double nearest_outside = infinite;
  for (const int a : set) {
    for (int b = 0; b < blocks.size(); ++b) {
      if (blocks.count(a, b) == 0) continue;
      if (inside[static_cast<std::size_t>(b)])
        farthest_inside = std::max(farthest_inside, blocks.mean(a, b));
      else
        nearest_outside = std::min(nearest_outside, blocks.mean(a, b));
    }
    if (farthest_inside + std::log1p(bound) >= nearest_outside) return false;
  }
  return true;
}

struct Edge {
  double latency;
  int a;
  int b;
};

std::vector<Edge> edges_of(const Blocks& blocks) {
  std::vector<Edge> edges;
  for (int a = 0; a < blocks.size(); ++a) {
    for (int b = a + 1; b < blocks.size(); ++b) {
      if (blocks.count(a, b) > 0) edges.push_back({blocks.mean(a, b), a, b});
    }
  }
  std::ranges::sort(edges, {}, [](const Edge& edge) { return std::tuple(edge.latency, edge.a, edge.b); });
  return edges;
}

// Returns the sets of clusters that are nearer to each other, by more than `bound`, than any of them is to a cluster
// outside. Any two sets are nested or disjoint; inner sets come first, the set of all clusters is last. Ascending
// indices.
std::vector<std::vector<int>> near_sets(const Blocks& blocks, double bound) {
  const int number = blocks.size();
  std::vector<std::vector<int>> sets(static_cast<std::size_t>(number));
  std::vector<std::size_t> set_of(sets.size());
  for (std::size_t i = 0; i < sets.size(); ++i) {
    sets[i] = {static_cast<int>(i)};
    set_of[i] = i;
  }
  std::vector<std::vector<int>> found;
  for (const Edge& edge : edges_of(blocks)) {
    const std::size_t a = set_of[static_cast<std::size_t>(edge.a)];
    const std::size_t b = set_of[static_cast<std::size_t>(edge.b)];
    if (a == b) continue;
    std::vector<int> both;
    std::ranges::merge(sets[a], sets[b], std::back_inserter(both));
    for (const int member : sets[b]) set_of[static_cast<std::size_t>(member)] = a;
    sets[a] = std::move(both);
    sets[b].clear();
    if (static_cast<int>(sets[a].size()) < number && is_near(blocks, sets[a], bound)) found.push_back(sets[a]);
  }
  std::vector<int> all;
  for (int i = 0; i < number; ++i) all.push_back(i);
  found.push_back(std::move(all));
  return found;
}

// Returns true if a cluster is nearer to itself, by more than `bound`, than to any other.
bool stands_alone(const Blocks& blocks, int cluster, double bound) {
  return blocks.count(cluster, cluster) > 0 && is_near(blocks, {cluster}, bound);
}

// Returns true if the latencies of all these clusters to every cluster outside agree within `bound`, up to noise.
bool agree_outside(const Blocks& blocks, const std::vector<int>& set, double noise, double bound) {
  const std::vector<bool> inside = membership(blocks, set);
  for (int k = 0; k < blocks.size(); ++k) {
    if (inside[static_cast<std::size_t>(k)]) continue;
    double least = infinite;
    double most = -infinite;
    for (const int a : set) {
      if (blocks.count(a, k) == 0) continue;
      const double spread = noise / std::sqrt(blocks.count(a, k));
      least = std::min(least, blocks.mean(a, k) + spread);
      most = std::max(most, blocks.mean(a, k) - spread);
    }
    if (most - least > std::log1p(bound)) return false;
  }
  return true;
}

// Relative errors of the fit.
class Errors {
 public:
  explicit Errors(std::size_t clusters) : clusters_(clusters), sums_(clusters * clusters), counts_(sums_.size()) {}

  void add(int a, int b, double error) {
    const auto [low, high] =
        std::minmax({static_cast<std::size_t>(a), static_cast<std::size_t>(b)});  // copied, not referenced
    sums_[low * clusters_ + high] += error;
    ++counts_[low * clusters_ + high];
    squares_ += error * error;
  }

  // Returns true if the errors are small, in total and in the mean over the pairs of any two clusters. The mean shows a
  // real difference even if few pairs have it.
  bool small(double pairs_to_spare, double noise, double bound) const {
    // The mean of a few squared normal deviates may be far above its expectation.
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

// Returns true if no host's own part is far above the median.
bool comparable(std::vector<double> own) {
  const auto middle = own.begin() + static_cast<std::ptrdiff_t>(own.size() / 2);
  std::nth_element(own.begin(), middle, own.end());
  return *std::max_element(own.begin(), own.end()) <= slower_than_most * *middle;
}

// Returns true if all clusters are equally far from every cluster outside, after subtraction of the hosts' own parts.
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
    double least = infinite;
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

// Returns true if these clusters are hosts behind one switch, with hosts of different speed: the hosts' own parts
// explain the latencies between all their hosts, and to every cluster outside. Such a network is one cluster, however
// much its latencies differ. `members`: indices into `clusters`, which cover all hosts. False if there are too few
// pairs, and if a host is too far from the others to be behind the same switch.
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

Partition find_agreeing(const Region& region, double bound) {
  Partition clusters = find_twins(region, bound);
  clusters = join_agreeing(region, std::move(clusters), bound);
  Partition settled = settle_hosts(region, clusters, bound);
  return settled == clusters ? clusters : join_agreeing(region, std::move(settled), bound);
}

// Tests the widest sets first; a network that is one cluster is not divided further.
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
      if (!std::ranges::includes(apart, sets_[inner])) continue;  // outside, or inside a wider inner set
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

  // Returns true if most hosts are single and no cluster of the set stands alone.
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

// Returns the structure of a region's hosts from measurements: logical clusters, and groups of clusters.
//
// If hosts neither agree, nor differ only by a constant of each host, nor form islands, most of them would be clusters
// of one host. Such a region becomes one cluster, without an invented structure.
HostGroup measured_groups(const Region& region, double bound) {
  const Partition clusters = join_stars(region, find_agreeing(region, bound), bound);
  return Nesting(region, clusters, bound).whole();
}

}  // namespace

}  // namespace tombolo::clustering

namespace tombolo {

using namespace clustering;

namespace {

class Clustering {
 public:
  Clustering(const Latencies& latencies, const StatedLevels& stated, double bound)
      : latencies_(latencies), stated_(stated), bound_(bound) {}

  // Groups hosts by the stated levels at this depth, or by measurements if none is stated.
  HostGroup build(std::vector<int> hosts, std::size_t depth) const {
    std::vector<int> rest;
    std::vector<std::pair<std::string, std::vector<int>>> named;  // in the order of their first hosts
    for (const int host : hosts) {
      const std::string* name = stated_name(host, depth);
      if (!name) {
        rest.push_back(host);
        continue;
      }
      auto found = std::ranges::find(named, *name, &std::pair<std::string, std::vector<int>>::first);
      if (found == named.end()) found = named.insert(named.end(), {*name, {}});
      found->second.push_back(host);
    }
    if (named.empty()) return measured_groups(Region(latencies_, std::move(hosts), bound_), bound_);

    HostGroup group;
    group.hosts = std::move(hosts);
    for (auto& [name, members] : named) {
      HostGroup child = build(std::move(members), depth + 1);
      // Keeps the name of a level with a single child.
      child.name = child.name.empty() ? name : fmt::format("{}/{}", name, child.name);
      group.groups.push_back(std::move(child));
    }
    if (!rest.empty()) add_rest(group, measured_groups(Region(latencies_, std::move(rest), bound_), bound_));
    if (group.groups.size() == 1) return std::move(group.groups.front());
    std::ranges::sort(group.groups, {}, [](const HostGroup& one) { return one.hosts.front(); });
    return group;
  }

 private:
  const std::string* stated_name(int host, std::size_t depth) const {
    const auto at = static_cast<std::size_t>(host);
    return at < stated_.size() && depth < stated_[at].size() ? &stated_[at][depth] : nullptr;
  }

  // Adds the groups of hosts without a statement beside the stated ones.
  static void add_rest(HostGroup& group, HostGroup rest) {
    if (rest.groups.empty()) {
      group.groups.push_back(std::move(rest));
      return;
    }
    for (HostGroup& one : rest.groups) group.groups.push_back(std::move(one));
  }

  const Latencies& latencies_;
  const StatedLevels& stated_;
  double bound_;
};

void collect(const HostGroup& group, int& clusters, std::vector<GroupSpan>& found) {
  const std::size_t place = found.size();
  found.push_back({.group = &group, .first = clusters});
  if (group.groups.empty()) ++clusters;
  for (const HostGroup& inner : group.groups) {
    found[place].children.push_back(found.size());
    collect(inner, clusters, found);
    found[place].child_ends.push_back(clusters);
  }
  found[place].end = clusters;
}

}  // namespace

HostGroup find_clusters(const Latencies& latencies, const StatedLevels& stated, double bound) {
  if (!(bound > 0)) {
    throw Error(fmt::format("the bound within which latencies agree is {}", bound), "give one above 0, such as 0.2");
  }
  std::vector<int> hosts(static_cast<std::size_t>(latencies.hosts()));
  std::iota(hosts.begin(), hosts.end(), 0);
  return Clustering(latencies, stated, bound).build(std::move(hosts), 0);
}

std::vector<GroupSpan> spans_of(const HostGroup& groups) {
  std::vector<GroupSpan> spans;
  int clusters = 0;
  collect(groups, clusters, spans);
  return spans;
}

}  // namespace tombolo
