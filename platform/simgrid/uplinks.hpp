#pragma once

#include <cstdint>
#include <map>
#include <unordered_map>
#include <utility>
#include <vector>

#include <tombolo/platform/clustering.hpp>
#include <tombolo/platform/simgrid/fabric.hpp>
#include <tombolo/platform/simgrid/sharing.hpp>

namespace tombolo::simgrid {

/// How many pairs of hosts, by the clusters that they belong to, have a wire on their way.
class Crossings {
 public:
  struct Wired {
    std::uint64_t pairs = 0;
    std::unordered_map<std::uint64_t, std::uint64_t> by_clusters;  ///< by ends(from, to)
  };

  void pass(int wire, int from_cluster, int to_cluster);
  const std::map<int, Wired>& wires() const { return wires_; }
  /// The wires that messages inside a cluster pass, and the first such cluster.
  std::vector<std::pair<int, int>> inside() const;

 private:
  std::map<int, Wired> wires_;
};

/// By group, as a walk meets them, the outermost first: the least rate of the wires which all messages that leave the
/// group pass, and none that stay outside or inside; 0 where there is no such wire, or it carries all that the hosts
/// could send.
std::vector<BytesPerSecond> find_uplinks(const Fabric& fabric, const Sharing& sharing, const HostGroup& groups,
                                         const Crossings& crossings);

}  // namespace tombolo::simgrid
