#include <fmt/format.h>

#include <tombolo/models/kinds/parameters.hpp>
#include <tombolo/platform/system/posix_file.hpp>

namespace tombolo {

JsonDocument parameters_document(std::string_view model, const nlohmann::ordered_json& parameters) {
  // Names of clusters are external and may be invalid UTF-8.
  const std::string text = parameters.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
  return parse_json(text, fmt::format("parameters of {}", model), "estimate the model on this platform");
}

std::vector<JsonNode> entries_of_classes(const JsonNode& parameters, const PairClasses& classes) {
  const JsonNode list = parameters.member("classes");
  std::vector<JsonNode> entries = list.list();
  if (entries.size() != static_cast<std::size_t>(classes.size())) {
    list.refuse(
        fmt::format("has {} entries, where the platform has {} classes of pairs", entries.size(), classes.size()));
  }
  for (int index = 0; index < classes.size(); ++index) {
    const JsonNode name = entries[static_cast<std::size_t>(index)].member("pairs");
    if (name.text() != classes.name(index)) {
      name.refuse(fmt::format("is {}, not {}", tombolo::quoted(name.text()), tombolo::quoted(classes.name(index))));
    }
  }
  return entries;
}

}  // namespace tombolo
