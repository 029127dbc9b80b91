#pragma once

#include <map>
#include <memory>
#include <string>

#include <nlohmann/json.hpp>

#include <tombolo/models/laboratory.hpp>
#include <tombolo/models/model.hpp>
#include <tombolo/platform/platform.hpp>

namespace tombolo {

/// What has been estimated of one model.
struct Estimate {
  nlohmann::ordered_json parameters;  ///< as ModelKind::estimate made them
  Cost cost;
  bool operator==(const Estimate&) const = default;
};

/// By name of the model.
using Estimates = std::map<std::string, Estimate>;

/// Puts them into the platform, as its section "models".
void store_estimates(Platform& platform, const Estimates& estimates);

/// Those of the platform; none where it has no such section. Throws Error for a section that is not right.
Estimates stored_estimates(const Platform& platform);

/// A model of the platform by name, over the links that clusters share. `platform` must outlive it. Throws Error where
/// there is no estimate of it, or one that does not fit the platform.
std::unique_ptr<Model> stored_model(const Platform& platform, const Estimates& estimates, const std::string& name);

}  // namespace tombolo
