#include <tombolo/models/lmo_parameters.hpp>
#include <tombolo/models/memory_rate.hpp>
#include <tombolo/models/parameters.hpp>

namespace tombolo {

nlohmann::ordered_json written_lmo(const Lmo::Parameters& parameters) {
  using Json = nlohmann::ordered_json;
  Json json;
  json["fixed"] = Json::array();
  json["variable"] = Json::array();
  for (const Lmo::Delays& processor : parameters.processors) {
    json["fixed"].push_back(processor.fixed);
    json["variable"].push_back(processor.per_megabyte);
  }
  if (parameters.serialised_above) json["serialised_above"] = *parameters.serialised_above;
  json.update(written_links(parameters.links, parameters.extended));
  return json;
}

Lmo::Parameters read_lmo(const Platform& platform, const nlohmann::ordered_json& parameters, bool extended) {
  const JsonDocument document = parameters_document(extended ? "lmo-extended" : "lmo", parameters);
  const JsonNode root(document);
  const auto ranks = static_cast<std::size_t>(platform.ranks());
  Lmo::Parameters found{.processors = {}, .links = LinkTable(PairClasses(platform)), .extended = extended};
  const std::vector<JsonNode> fixed = list_of(root.member("fixed"), ranks, "ranks");
  const std::vector<JsonNode> variable = list_of(root.member("variable"), ranks, "ranks");
  for (std::size_t i = 0; i < ranks; ++i) found.processors.push_back({fixed[i].integer(), variable[i].integer()});
  if (const auto threshold = root.find("serialised_above")) found.serialised_above = threshold->integer();
  read_links(root, found.links, extended);
  found.memory_rate = memory_rate_of(platform);
  return found;
}

}  // namespace tombolo
