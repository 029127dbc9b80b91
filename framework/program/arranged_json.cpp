#include <nlohmann/json.hpp>

#include <tombolo/framework/program/arranged_json.hpp>

namespace tombolo {

using Json = nlohmann::ordered_json;

std::string to_json(const Chosen& chosen) {
  const Arrangement& a = chosen.arrangement;
  Json json;
  json["members"] = a.members;
  json["overlaps"] = a.overlaps;
  json["how"] = a.how;
  json["divisions"] = Json::array();
  for (const Division& division : a.divisions) {
    Json panels = Json::array();
    for (int panel = 0; panel < division.panels(); ++panel) {
      Json shares = Json::array();
      for (Rank rank = 0; rank < division.ranks(); ++rank) shares.push_back(division.panel(panel).count(rank));
      panels.push_back(std::move(shares));
    }
    json["divisions"].push_back(std::move(panels));
  }
  json["expected"] = to_json(chosen.expected);
  return json.dump();
}

Chosen chosen_from_json(const std::string& text) {
  const Json json = Json::parse(text);
  Chosen chosen;
  Arrangement& a = chosen.arrangement;
  a.members = json["members"].get<std::vector<Rank>>();
  a.overlaps = json["overlaps"].get<bool>();
  a.how = json["how"].get<std::string>();
  for (const Json& panels : json["divisions"]) {
    a.divisions.emplace_back(panels.get<std::vector<std::vector<std::int64_t>>>());
  }
  chosen.expected = run_report_from_json(json["expected"]);
  return chosen;
}

}  // namespace tombolo
