#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include <tombolo/models/pairs/by_class.hpp>
#include <tombolo/platform/json/node.hpp>

namespace tombolo {

/// Wraps a model's parameters for JsonNode, whose messages locate errors: "parameters of loggp: classes[1].latency is
/// "a", not a whole number; estimate the model on this platform".
JsonDocument parameters_document(std::string_view model, const nlohmann::ordered_json& parameters);

/// Returns the list "classes" of parameters, one entry for each class in the order of its number; "pairs" in an entry
/// names the class. Throws Error unless every class has exactly one entry.
std::vector<JsonNode> entries_of_classes(const JsonNode& parameters, const PairClasses& classes);

/// Returns {"classes": [{"pairs": "c1", ...}, ...]}; entry(figures) supplies the other members of each entry.
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
