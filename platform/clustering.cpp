#include <algorithm>
#include <numeric>
#include <string>
#include <utility>

#include <fmt/format.h>

#include <tombolo/platform/clustering.hpp>
#include <tombolo/platform/clustering/nesting.hpp>
#include <tombolo/platform/error.hpp>

namespace tombolo {

using namespace clustering;

namespace {

class Clustering {
 public:
  Clustering(const Latencies& latencies, const StatedLevels& stated, double bound)
      : latencies_(latencies), stated_(stated), bound_(bound) {}

  // Groups hosts by what is stated at this depth, or by measuring where nothing is.
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
      // What a level with one child only was called stays visible.
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

  // The groups of hosts for which nothing is stated stand beside the stated ones.
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

}  // namespace

HostGroup find_clusters(const Latencies& latencies, const StatedLevels& stated, double bound) {
  if (!(bound > 0)) {
    throw Error(fmt::format("the bound within which latencies agree is {}", bound), "give one above 0, such as 0.2");
  }
  std::vector<int> hosts(static_cast<std::size_t>(latencies.hosts()));
  std::iota(hosts.begin(), hosts.end(), 0);
  return Clustering(latencies, stated, bound).build(std::move(hosts), 0);
}

}  // namespace tombolo
