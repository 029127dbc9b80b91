#pragma once

#include <string>

#include <nlohmann/json.hpp>

#include <tombolo/framework/report/progress_printer.hpp>
#include <tombolo/platform.hpp>
#include <tombolo/platform/json/json.hpp>
#include <tombolo/session.hpp>

namespace tombolo::modelling {

/// Measures the thresholds of scatters and gathers and stores them in the platform, unless it has them already and they
/// are not wanted `anew`; in about `time_given` seconds, which limits the repetitions. Collective.
void find_thresholds(Session& session, Platform& platform, bool anew, double time_given, ProgressPrinter& progress);

/// Returns the platform's thresholds for people and for programs; empty if it has none.
std::string thresholds_text(const Platform& platform);
Json thresholds_json(const Platform& platform);

}  // namespace tombolo::modelling
