#pragma once

#include <string>

#include <nlohmann/json.hpp>

#include <tombolo/framework/mpi/session.hpp>
#include <tombolo/platform/description/platform.hpp>

namespace tombolo::modelling {

/// Measures the thresholds of scatters and gathers and stores them in the platform, unless it has them already and they
/// are not wanted `anew`. Collective.
void find_thresholds(Session& session, Platform& platform, bool anew);

/// What the platform knows of thresholds, for people and for programs. Empty where it knows nothing.
std::string thresholds_text(const Platform& platform);
nlohmann::ordered_json thresholds_json(const Platform& platform);

}  // namespace tombolo::modelling
