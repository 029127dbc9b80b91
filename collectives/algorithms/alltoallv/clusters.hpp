#pragma once

#include <span>
#include <vector>

#include <tombolo/units.hpp>

namespace tombolo {

/// A message between clusters with the blocks of several ranks: of all `sources` for all `targets`.
struct LongMessage {
  Rank sender = -1;    ///< in the sources' cluster
  Rank receiver = -1;  ///< one of the targets
  std::span<const Rank> sources;
  std::span<const Rank> targets;
};

/// The position of a cluster in the cyclic order of the other clusters; determines the carriers for that cluster.
struct ClusterTurn {
  int turn = 0;   ///< 0 for the next cluster in the cycle, 1 for the one after it, ...
  int turns = 1;  ///< number of other clusters
};

/// Returns the messages with one cluster's blocks for another cluster: section 7 of Steffenel, Martinasso and Trystram
/// (2007), for clusters of any sizes. At most `carriers` ranks of each cluster send or receive on the link. With one
/// carrier per rank there are max(n1, n2) messages, each to the final target of its blocks; from a larger cluster, each
/// with the blocks of a part of its ranks only. The paper's second case, blocks of n1 ranks gathered for one each of n1
/// others, ends where n1 divides n2; here the sources are divided among all senders. Fewer carriers give fewer, larger
/// messages, which the receivers forward. `leaving` is the turn of the second cluster as seen from the first,
/// `arriving` that of the first as seen from the second; different clusters are served by different carriers. The
/// returned spans are parts of `from` and `to`.
///
///     2 ranks to 5:   5 messages of 2 blocks; every sender has 2 or 3
///     5 ranks to 2:   5 messages of 2 or 3 blocks; every receiver gets 2 or 3
///     1 carrier:      one message of n1 * n2 blocks
std::vector<LongMessage> long_messages(std::span<const Rank> from, std::span<const Rank> to, int carriers,
                                       const ClusterTurn& leaving, const ClusterTurn& arriving);

}  // namespace tombolo
