#pragma once

#include <memory>
#include <span>
#include <string_view>

#include <nlohmann/json_fwd.hpp>

#include <tombolo/models/laboratory.hpp>
#include <tombolo/models/model.hpp>
#include <tombolo/platform/platform.hpp>

namespace tombolo {

/// A kind of communication model that can be estimated, kept in a platform file and made from there. A constant in the
/// file of its estimation, named in models.def; whatever estimates, stores, compares or uses models finds it there.
struct ModelKind {
  std::string_view name;     ///< "plogp"
  std::string_view summary;  ///< one line: what it says and what it cannot
  /// Makes the experiments and returns the parameters that fit them, in integers. The same on all ranks.
  nlohmann::ordered_json (*estimate)(const Platform& platform, Laboratory& laboratory);
  /// The model with these parameters. Throws Error for parameters that are not of this model and platform.
  std::unique_ptr<Model> (*make)(const Platform& platform, const nlohmann::ordered_json& parameters);
};

#define TOMBOLO_MODEL(constant) extern const ModelKind constant;
#include <tombolo/models/models.def>
#undef TOMBOLO_MODEL

/// All kinds, in the order of models.def: the cheapest to estimate first.
std::span<const ModelKind* const> all_models();

/// Throws Error that lists the names there are.
const ModelKind& find_model(std::string_view name);

}  // namespace tombolo
