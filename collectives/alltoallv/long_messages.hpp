#pragma once

#include <span>
#include <vector>

#include <tombolo/platform/units.hpp>

namespace tombolo {

/// A message from one cluster to another that holds the blocks of several ranks: of all `sources` for all `targets`.
struct LongMessage {
  Rank sender = -1;    ///< of the sources' cluster
  Rank receiver = -1;  ///< one of the targets
  std::span<const Rank> sources;
  std::span<const Rank> targets;
};

/// How a cluster's place among others decides who serves which of them.
struct ClusterTurn {
  int turn = 0;   ///< 0 for the cluster that follows in a cycle, 1 for the one after it, ...
  int turns = 1;  ///< how many other clusters there are
};

/// How one cluster's blocks get to another one: section 7 of Steffenel, Martinasso and Trystram (2007), for clusters of
/// any sizes. At most so many ranks of each drive the link, its carriers; with as many as there are ranks it is
/// max(n1, n2) messages, each to the very rank that its blocks are for, or, from a larger cluster, of part of its ranks
/// only. The paper's second case, blocks of n1 ranks gathered for one each of n1 others, ends where n1 divides n2; here
/// the sources are shared out over as many senders as there are. Fewer carriers make fewer, larger messages, which
/// their receivers hand on. `leaving` is the turn of the second cluster as the first one sees it, `arriving` that of
/// the first as the second one does: other clusters are served by other carriers. Spans are parts of those given.
///
///     2 ranks to 5:   5 messages of 2 blocks; every sender has 2 or 3
///     5 ranks to 2:   5 messages of 2 or 3 blocks; every receiver gets 2 or 3
///     1 carrier:      one message of n1 * n2 blocks
std::vector<LongMessage> long_messages(std::span<const Rank> from, std::span<const Rank> to, int carriers,
                                       const ClusterTurn& leaving, const ClusterTurn& arriving);

}  // namespace tombolo
