#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include <tombolo/models/by_class.hpp>
#include <tombolo/platform/json/node.hpp>

namespace tombolo {

/// A model's parameters, for reading them with JsonNode, whose messages say where something is wrong:
/// "parameters of loggp: classes[1].latency is "a", not a whole number; estimate the model on this platform".
JsonDocument parameters_document(std::string_view model, const nlohmann::ordered_json& parameters);

/// The list "classes" of parameters: an entry for each class in the order of its number, which says in "pairs" which
/// one it is. Throws Error unless there is exactly that of every class.
std::vector<JsonNode> entries_of_classes(const JsonNode& parameters, const PairClasses& classes);

/// {"classes": [{"pairs": "c1", ...}, ...]}, the rest of each entry from entry(figures).
template <class Figures, class Entry>
nlohmann::ordered_json written_by_class(const ByClass<Figures>& figures, Entry entry) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (int index = 0; index < figures.classes().size(); ++index) {
    nlohmann::ordered_json item;
    item["pairs"] = figures.classes().name(index);
    item.update(entry(figures.all()[static_cast<std::size_t>(index)]));
    list.push_back(std::move(item));
  }
  nlohmann::ordered_json parameters;
  parameters["classes"] = std::move(list);
  return parameters;
}

}  // namespace tombolo
