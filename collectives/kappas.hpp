#pragma once

#include <vector>

#include <tombolo/collectives/stored_thresholds.hpp>
#include <tombolo/platform/platform.hpp>

namespace tombolo {

/// Enters kappa_1 and kappa_2 (gather_corrections) where they are not known yet and can be: of scopes whose gathers
/// have thresholds, by the LMO model that the platform holds. A scope's first rank is the root. Nothing is measured.
void add_kappas(std::vector<Thresholds>& thresholds, const Platform& platform);

}  // namespace tombolo
