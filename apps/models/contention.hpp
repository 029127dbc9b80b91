#pragma once

#include <vector>

#include <tombolo/collectives/trials.hpp>

namespace tombolo::modelling {

/// Fits contention signatures, by scope, to the direct total exchanges among `fitted`, and enters what they say into
/// the samples of direct total exchanges of both: the signature as "contention", the one with a term for each shared
/// link as "link-contention". Scopes with fewer than four sizes have none.
void predict_contention(const Platform& platform, std::vector<Trial>& fitted, std::vector<Trial>& judged);

}  // namespace tombolo::modelling
