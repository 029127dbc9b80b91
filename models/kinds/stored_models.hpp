#pragma once

#include <map>
#include <memory>
#include <string>

#include <nlohmann/json.hpp>

#include <tombolo/models/experiments/laboratory.hpp>
#include <tombolo/models/model.hpp>
#include <tombolo/platform/description/platform.hpp>

namespace tombolo {

/// The result of estimating one model.
struct Estimate {
  nlohmann::ordered_json parameters;  ///< as made by ModelKind::estimate
  ExperimentCost cost;
  bool operator==(const Estimate&) const = default;
};

/// By name of the model.
using Estimates = std::map<std::string, Estimate>;

/// Stores the estimates in the platform's section "models".
void store_estimates(Platform& platform, const Estimates& estimates);

/// Reads the estimates of the platform; empty without a section "models". Throws Error for an invalid section.
Estimates stored_estimates(const Platform& platform);

/// Makes a model by name from its estimate, over the links that clusters share. `platform` must outlive it. Throws
/// Error if there is no estimate, or one that does not fit the platform.
std::unique_ptr<Model> stored_model(const Platform& platform, const Estimates& estimates, const std::string& name);

}  // namespace tombolo
