#pragma once

#include <string>

#include <nlohmann/json.hpp>

#include <tombolo/framework/mpi/session.hpp>
#include <tombolo/platform/description/platform.hpp>

#include "models/options.hpp"

namespace tombolo::modelling {

/// Measures the thresholds of scatters and gathers and stores them in the platform, unless they are not wanted or there
/// already. Collective.
void find_thresholds(Session& session, Platform& platform, const Options& options);

/// What the platform knows of thresholds, for people and for programs. Empty where it knows nothing.
std::string thresholds_text(const Platform& platform);
nlohmann::ordered_json thresholds_json(const Platform& platform);

}  // namespace tombolo::modelling
