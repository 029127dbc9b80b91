#pragma once

#include <vector>

#include <tombolo/collectives/algorithm.hpp>
#include <tombolo/collectives/mapping/landscape.hpp>
#include <tombolo/models/model.hpp>

namespace tombolo {

/// The trees that are worth a prediction for an algorithm that is `mapped`, each with its name: some 10 to 25 where
/// latency is most of what a message takes, fewer where bytes are. No two are the same. `message_bytes` is the size of
/// one message, of the whole vector or of a segment; blocks count by themselves. `model` and `landscape` are for the
/// ranks of the request. Nothing where a rank does not know all counts of a v-collective.
///
/// Deterministic and in integers: all ranks find the same. Takes about the square of the ranks up to 128, beyond that
/// about P log P.
std::vector<MappedTrees> trees_for(const Request& request, const Algorithm& algorithm, const Model& model,
                                   const Landscape& landscape, Bytes message_bytes);

}  // namespace tombolo
