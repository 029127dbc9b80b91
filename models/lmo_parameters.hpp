#pragma once

#include <nlohmann/json_fwd.hpp>

#include <tombolo/models/lmo.hpp>
#include <tombolo/platform/platform.hpp>

namespace tombolo {

/// LMO's parameters as JSON; pairs inside clusters and between clusters in the order of PairTable:
///
///     {"fixed": [C_0, ...], "variable": [t_0, ...], "serialised_above": 65536,
///      "inside": [{"latency": [L_10, L_20, L_21, ...], "per_megabyte": [...]}, ...], "between": {...}}
///
/// Without "latency" inside clusters for the model of the paper, without "serialised_above" where S is not known.
nlohmann::ordered_json written_lmo(const Lmo::Parameters& parameters);

/// Throws Error for what is not of this model and platform.
Lmo::Parameters read_lmo(const Platform& platform, const nlohmann::ordered_json& parameters, bool extended);

}  // namespace tombolo
