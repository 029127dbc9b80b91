#include <array>

#include <fmt/format.h>

#include <tombolo/models/kinds/model_kind.hpp>
#include <tombolo/models/kinds/over_shared_links.hpp>
#include <tombolo/platform/json/json.hpp>
#include <tombolo/units.hpp>

namespace tombolo {

std::span<const ModelKind* const> all_models() {
#define TOMBOLO_MODEL(constant) &constant,
  static constexpr auto list = std::to_array<const ModelKind*>({
#include <tombolo/models/kinds/models.def>
  });
#undef TOMBOLO_MODEL
  return list;
}

const ModelKind& find_model(std::string_view name) {
  std::string names;
  for (const ModelKind* const model : all_models()) {
    if (model->name == name) return *model;
    names += names.empty() ? "" : ", ";
    names += model->name;
  }
  throw Error(fmt::format("there is no communication model '{}'", name), fmt::format("choose one of {}", names));
}

namespace {

constexpr const char* remedy = "estimate the models anew with tombolo models";

[[noreturn]] void refuse(const std::string& cause) {
  throw Error(fmt::format("the platform's section \"{}\": {}", models_section, cause), remedy);
}

}  // namespace

void store_estimates(Platform& platform, const Estimates& estimates) {
  Json section = Json::object();
  for (const auto& [name, estimate] : estimates) {
    section[name] = {{"measurements", estimate.cost.measurements},
                     {"messages", estimate.cost.messages},
                     {"seconds", estimate.cost.seconds},
                     {"parameters", estimate.parameters}};
  }
  platform.sections[models_section] = section.dump();
}

Estimates stored_estimates(const Platform& platform) {
  Estimates estimates;
  const auto found = platform.sections.find(models_section);
  if (found == platform.sections.end()) return estimates;
  const Json section = Json::parse(found->second, nullptr, false);
  if (!section.is_object()) refuse("it is no object");
  for (const auto& [name, entry] : section.items()) {
    if (!entry.is_object()) refuse(fmt::format("\"{}\" is no object", name));
    const auto figure = [&, &name = name, &entry = entry](const char* member) -> const Json& {
      const auto value = entry.find(member);
      if (value == entry.end() || !value->is_number()) refuse(fmt::format("\"{}\" has no number \"{}\"", name, member));
      return *value;
    };
    if (!entry.contains("parameters")) refuse(fmt::format("\"{}\" has no \"parameters\"", name));
    estimates[name] = {.parameters = entry["parameters"],
                       .cost = {.measurements = figure("measurements").get<std::int64_t>(),
                                .messages = figure("messages").get<std::int64_t>(),
                                .seconds = figure("seconds").get<double>()}};
  }
  return estimates;
}

std::unique_ptr<Model> stored_model(const Platform& platform, const Estimates& estimates, const std::string& name) {
  const ModelKind& kind = find_model(name);
  const auto found = estimates.find(name);
  if (found == estimates.end()) {
    throw Error(fmt::format("the platform has no estimate of the model {}", name), remedy);
  }
  return OverSharedLinks::wrap(platform, kind.make(platform, found->second.parameters));
}

}  // namespace tombolo
