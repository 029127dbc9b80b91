#pragma once

#include <span>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include <tombolo/collectives/calibrate/contention.hpp>
#include <tombolo/collectives/calibrate/trials.hpp>
#include <tombolo/platform/json/json.hpp>

namespace tombolo::modelling {

/// Fits contention signatures, by scope, to the direct total exchanges among `fitted`, and enters what they say into
/// the samples of direct total exchanges of both: the signature as "contention", the one with a term for each shared
/// link as "link-contention", which it returns. Scopes with fewer than four sizes have none.
std::vector<ScopeContention> predict_contention(const Platform& platform, std::vector<Trial>& fitted,
                                                std::vector<Trial>& judged);

/// Leaves those that are nearer to what was measured, on average over these samples, than the predictions of that name.
void keep_better(std::vector<ScopeContention>& contention, std::span<const Sample> samples, const std::string& than);

/// The signatures that the platform has kept, as a table and as JSON; empty where it has none.
std::string contention_text(const Platform& platform);
Json contention_json(const Platform& platform);

}  // namespace tombolo::modelling
