// report.hpp's to_csv and to_json.
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <tombolo/collectives/calibrate/models/accuracy.hpp>

#include "models/contention.hpp"
#include "models/report.hpp"
#include "models/thresholds.hpp"

namespace tombolo::modelling {

namespace {

using Json = nlohmann::ordered_json;

// As RFC 4180 has it.
std::string field(const std::string& text) {
  if (text.find_first_of(",\"\n\r") == text.npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + "\"";
}

std::string lines(const std::vector<Sample>& samples, const char* use) {
  std::string text;
  for (const Sample& s : samples) {
    for (const auto& [model, predicted] : s.predicted) {
      text +=
          fmt::format("{},{},{},{},{},{},{},{},{:.12g},{:.12g},{}\n", model, field(s.scope), name(s.operation),
                      s.algorithm, s.segment, s.ranks, s.root, s.bytes, seconds(predicted), seconds(s.measured), use);
    }
  }
  return text;
}

Json json_of(const std::vector<Sample>& samples) {
  Json list = Json::array();
  for (const Sample& s : samples) {
    Json predicted = Json::object();
    for (const auto& [model, time] : s.predicted) predicted[model] = seconds(time);
    list.push_back({{"cluster", s.scope},
                    {"op", name(s.operation)},
                    {"algorithm", s.algorithm},
                    {"segment", s.segment},
                    {"ranks", s.ranks},
                    {"root", s.root},
                    {"bytes", s.bytes},
                    {"measured_s", seconds(s.measured)},
                    {"predicted_s", predicted}});
  }
  return list;
}

}  // namespace

std::string to_csv(const Survey& survey) {
  return "model,cluster,op,algorithm,segment,ranks,root,bytes,predicted_s,measured_s,use\n" +
         lines(survey.judged, "judge") + lines(survey.fitted, "fit");
}

std::string to_json(const Survey& survey) {
  Json json;
  json["costs"] = Json::object();
  for (const auto& [name, estimate] : survey.estimates) {
    json["costs"][name] = {{"measurements", estimate.cost.measurements},
                           {"messages", estimate.cost.messages},
                           {"seconds", estimate.cost.seconds}};
  }
  json["thresholds"] = thresholds_json(survey.platform);
  json["contention"] = contention_json(survey.platform);
  json["errors"] = Json::object();
  for (const ModelErrors& e : errors_of_models(survey.judged)) {
    json["errors"][e.model] = {
        {"samples", e.samples}, {"median", e.median}, {"ninetieth", e.ninetieth}, {"worst", e.worst}};
  }
  json["rankings"] = Json::object();
  for (const ModelRanking& r : rankings_of_models(survey.judged)) {
    json["rankings"][r.model] = {
        {"contests", r.contests}, {"right", r.right}, {"mean_loss", r.mean_loss}, {"worst_loss", r.worst_loss}};
  }
  json["choices"] = Json::array();
  for (const Choice& c : survey.choices) {
    json["choices"].push_back({{"cluster", c.scope},
                               {"op", name(c.operation)},
                               {"bytes", c.bytes},
                               {"model", c.model},
                               {"error", c.error},
                               {"algorithm", c.algorithm},
                               {"segment", c.segment},
                               {"predicted_s", seconds(c.predicted)}});
  }
  json["judged"] = json_of(survey.judged);
  json["fitted"] = json_of(survey.fitted);
  return json.dump(1) + "\n";
}

}  // namespace tombolo::modelling
