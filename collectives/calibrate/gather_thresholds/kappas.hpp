#pragma once

#include <vector>

#include <tombolo/collectives/calibrate/gather_thresholds/stored_thresholds.hpp>
#include <tombolo/platform/description/platform.hpp>

namespace tombolo {

/// Sets the unknown kappa_1 and kappa_2 (gather_corrections()) of scopes with gather thresholds, by the platform's LMO
/// model. The first rank of a scope is the root. Without measurements.
void add_kappas(std::vector<Thresholds>& thresholds, const Platform& platform);

}  // namespace tombolo
