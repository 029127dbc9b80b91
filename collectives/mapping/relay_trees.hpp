#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <tombolo/collectives/mapped_trees.hpp>
#include <tombolo/collectives/mapping/landscape.hpp>

namespace tombolo {

/// Through which of the outermost groups each of several trees goes first.
enum class Hubs {
  root,    ///< the root's: it serves all others
  others,  ///< each of the others in turn, which serves those that remain: every long link is used
  none     ///< there is none: the relays are the tops of their groups, for what exchanges among tops
};

/// For large vectors: several trees, each with other ranks as its relays, so that the links of all ranks of a cluster
/// take part and every byte crosses to each cluster once (relay_group.hpp). The root sends a share to a relay of its
/// own cluster, which passes it on to one relay of each other group, or to one of the hub, which passes it on to the
/// others'. Relays serve their own clusters. Without a root (`nobody`) all ranks are at the top in turn; there is no
/// root where there is no hub.
///
/// A tree's weight is that of its slowest relay: `rates` by rank, in any unit; empty: all alike. Shares are in small
/// whole numbers, so that they soon repeat.
MappedTrees relay_trees(const std::string& name, const Landscape& landscape, Rank root, int trees, Hubs hubs,
                        const std::vector<std::int64_t>& rates);

/// How many relay trees, from `least` to `most`, let the busiest rank of any cluster serve the least of the vector: of
/// several such numbers the largest.
int balanced_trees(const Landscape& landscape, Rank root, int least, int most);

}  // namespace tombolo
