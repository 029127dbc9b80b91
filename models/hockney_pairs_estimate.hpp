#pragma once

#include <nlohmann/json_fwd.hpp>

#include <tombolo/models/hockney_pairs.hpp>
#include <tombolo/models/laboratory.hpp>

namespace tombolo {

/// The pairs that are measured: all inside a logical cluster of at most 64 ranks; in a larger one 64 pseudo-random
/// pairings of its ranks, the same everywhere; three of every class of pairs. Each a < b, once.
std::vector<std::pair<Rank, Rank>> measured_pairs(const PairClasses& classes);

/// alpha and beta of all pairs, by measure_hockney; medians of their class for pairs inside clusters that are not
/// measured and for pairs between clusters. Collective.
LinkTable estimate_hockney_pairs(const PairClasses& classes, Laboratory& laboratory);

/// The model from what written_links writes. Throws Error for parameters that are not of this model and platform.
HockneyPairs read_hockney_pairs(const Platform& platform, const nlohmann::ordered_json& parameters);

}  // namespace tombolo
