#include <array>
#include <string>

#include <fmt/format.h>

#include <tombolo/models/kinds/model_kind.hpp>
#include <tombolo/platform/error.hpp>

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

}  // namespace tombolo
