#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include <tombolo/collectives/plan/parameters.hpp>
#include <tombolo/collectives/request/request.hpp>
#include <tombolo/collectives/topology/rank_order.hpp>
#include <tombolo/collectives/topology/role.hpp>
#include <tombolo/collectives/topology/tree.hpp>

namespace tombolo {

/// The routes of a segmented vector through one or several trees, for one rank: the rank's role in each segment's tree,
/// in the order of the segments.
struct TreeRoutes {
  struct Leg {
    std::int64_t offset = 0;  ///< elements
    std::int64_t count = 0;
    std::size_t role = 0;
  };
  std::vector<Role> roles;
  std::vector<Leg> legs;
  /// By peer: bytes in flight on the link in addition to Parameters::window.
  std::unordered_map<Rank, Bytes> long_links{};

  /// `long_links` of a peer in whole segments, at most 65,536; 0 for other peers and for unsegmented vectors.
  int further(Rank peer, Bytes segment_bytes) const;
};

/// The role of the rank at a tree node. With Direction::up, children are in the order of virtual ranks.
Role role_of(const Tree::Node& node, const RankOrder& rank_order, Direction direction);

/// The routes of a vector of request.count elements through one tree. With Direction::up, children are in the order of
/// virtual ranks.
TreeRoutes routes_over_tree(const TreeTopology& shape, const RankOrder& rank_order, const Request& request,
                            const Parameters& parameters, Rank rank, Direction direction);

}  // namespace tombolo
