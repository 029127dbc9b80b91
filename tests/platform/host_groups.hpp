#pragma once

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include <tombolo/platform/clustering/clustering.hpp>

namespace tombolo::test {

inline HostGroup cluster(std::vector<int> members, std::string name = "") {
  return {.name = std::move(name), .hosts = std::move(members), .groups = {}};
}

inline HostGroup group(std::vector<HostGroup> groups, std::string name = "") {
  HostGroup found{.name = std::move(name), .hosts = {}, .groups = std::move(groups)};
  for (const HostGroup& inner : found.groups)
    found.hosts.insert(found.hosts.end(), inner.hosts.begin(), inner.hosts.end());
  std::sort(found.hosts.begin(), found.hosts.end());
  return found;
}

}  // namespace tombolo::test
