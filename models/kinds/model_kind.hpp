#pragma once

#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

#include <tombolo/models/experiments/laboratory.hpp>
#include <tombolo/models/model.hpp>
#include <tombolo/platform.hpp>
#include <tombolo/platform/json/json.hpp>

namespace tombolo {

/// A kind of communication model, with its estimation and its form in platform files. Each kind is a constant in the
/// file of its estimation, listed in models.def, from where all code that estimates, stores, compares or uses models
/// finds it.
struct ModelKind {
  std::string_view name;     ///< "plogp"
  std::string_view summary;  ///< one line: scope and limits
  /// Makes the experiments and returns the fitted parameters, in integers. Equal on all ranks.
  Json (*estimate)(const Platform& platform, Laboratory& laboratory);
  /// Makes a model from its parameters. Throws Error for parameters of another model or platform.
  std::unique_ptr<Model> (*make)(const Platform& platform, const Json& parameters);
};

#define TOMBOLO_MODEL(constant) extern const ModelKind constant;
#include <tombolo/models/kinds/models.def>
#undef TOMBOLO_MODEL

/// All kinds, in the order of models.def: the cheapest to estimate first.
std::span<const ModelKind* const> all_models();

/// Throws Error with the list of known names for an unknown name.
const ModelKind& find_model(std::string_view name);

/// The result of estimating one model.
// NOLINTNEXTLINE(bugprone-exception-escape): Json only asserts where it is moved.
struct Estimate {
  Json parameters;  ///< as made by ModelKind::estimate
  ExperimentCost cost;
  bool operator==(const Estimate&) const = default;
};

/// By name of the model.
using Estimates = std::map<std::string, Estimate>;

/// The section of a platform file with the estimates.
constexpr const char* models_section = "models";

/// Stores the estimates in the platform's section "models".
void store_estimates(Platform& platform, const Estimates& estimates);

/// Reads the estimates of the platform; empty without a section "models". Throws Error for an invalid section.
Estimates stored_estimates(const Platform& platform);

/// Makes a model by name from its estimate, over the links that clusters share. `platform` must outlive it. Throws
/// Error if there is no estimate, or one that does not fit the platform.
std::unique_ptr<Model> stored_model(const Platform& platform, const Estimates& estimates, const std::string& name);

}  // namespace tombolo
