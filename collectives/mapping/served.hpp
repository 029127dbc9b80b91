#pragma once

#include <vector>

#include <tombolo/collectives/mapping/message_times.hpp>
#include <tombolo/collectives/rank_tree.hpp>

namespace tombolo {

/// Whom each rank serves, in that order, while a tree is put together: by rank. RankTree::of_children() ends it.
using Served = std::vector<std::vector<Rank>>;

/// How long it takes from when `top` has a message until all below it have: each rank sends to one after the other, the
/// next once the gap is over. Nothing else is shared, so that this is a quick estimate and no prediction.
Picoseconds time_below(const Served& served, Rank top, const MessageTimes& times);

/// Lets each rank below `top` serve those first from whom on it takes longest, where that is sooner for all below it:
/// of a given tree with equal gaps no other order is faster. time_below() does not grow.
void serve_longest_first(Served& served, Rank top, const MessageTimes& times);

}  // namespace tombolo
