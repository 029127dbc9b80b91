#pragma once

#include <functional>
#include <vector>

#include <tombolo/collectives/mapping/cluster_links.hpp>
#include <tombolo/collectives/mapping/hierarchy.hpp>
#include <tombolo/collectives/plan/algorithm.hpp>
#include <tombolo/collectives/request/request.hpp>
#include <tombolo/collectives/topology/mapped_trees.hpp>
#include <tombolo/models/model.hpp>

namespace tombolo {

/// The model believed among the ranks of one group.
using ModelWithin = std::function<const Model&(const std::vector<Rank>& ranks)>;

/// Returns the candidate trees of an algorithm that follows trees (Mapped), each with a name and no two equal: about 10
/// to 25 where latency dominates, fewer where bandwidth does. `message_bytes` is the size of one message, a whole
/// vector or a segment; v-collectives compute sizes from their blocks. `model` and `hierarchy` are for the ranks of the
/// request. Empty for other algorithms, and if a rank does not know all counts of a v-collective.
///
/// Among them are trees in which every innermost group has a shape of its own (fastest_inside()), by the model that
/// `model_within` believes there, by `model` if it is empty; and every level its own schedule (fastest_schedule).
///
/// Deterministic and in integers: all ranks get the same trees. Time: about the square of the ranks up to 128, beyond
/// that about P log P.
std::vector<MappedTrees> trees_for(const Request& request, const Algorithm& algorithm, const Model& model,
                                   const Hierarchy& hierarchy, Bytes message_bytes,
                                   const ModelWithin& model_within = {});

/// Returns true for an algorithm over trees with a root, several of which share a vector, on three to 32 clusters.
/// `links` may be null: none.
bool may_share_links(const Algorithm& algorithm, const ClusterLinks* links);
/// Returns link_sharing_trees() for such an algorithm, few and many; none for others, or for an empty vector. Not among
/// trees_for(): the best segment differs, so they are searched separately.
std::vector<MappedTrees> link_sharing_trees_for(const Request& request, const Algorithm& algorithm, const Model& model,
                                                const Hierarchy& hierarchy, const ClusterLinks& links);

}  // namespace tombolo
