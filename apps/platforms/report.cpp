#include "platforms/report.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <tombolo/collectives/calibrate/sample.hpp>
#include <tombolo/framework/report/gnuplot.hpp>
#include <tombolo/framework/report/table.hpp>
#include <tombolo/models/kinds/model_kind.hpp>
#include <tombolo/platform/json/json.hpp>
#include <tombolo/platform/mpi/machine.hpp>
#include <tombolo/platform/readable.hpp>

#include "output.hpp"
#include "platforms/contention.hpp"
#include "platforms/thresholds.hpp"

namespace tombolo::modelling {

namespace {

std::string percent(double part) {
  return fmt::format("{:.1f} %", 100 * part);
}

std::string costs(const Survey& survey) {
  Table table({"model", "measurements", "messages", "time", ""}, "<>>><");
  for (const ModelKind* kind : all_models()) {
    const auto found = survey.estimates.find(std::string(kind->name));
    if (found == survey.estimates.end()) continue;
    const ExperimentCost& cost = found->second.cost;
    table.add({std::string(kind->name), fmt::format("{}", cost.measurements), fmt::format("{}", cost.messages),
               fmt::format("{:.3f} s", cost.seconds), std::string(kind->summary)});
  }
  return "What estimating the models cost\n\n" + table.text();
}

std::string errors(const Survey& survey) {
  Table table({"model", "median", "9 of 10", "worst", "predictions", "right choices", "loss of wrong ones"}, "<>>>>>>");
  const std::vector<ModelRanking> rankings = rankings_of_models(survey.judged);
  for (const ModelErrors& error : errors_of_models(survey.judged)) {
    const auto ranking =
        std::find_if(rankings.begin(), rankings.end(), [&](const ModelRanking& r) { return r.model == error.model; });
    const bool ranked = ranking != rankings.end() && ranking->contests > 0;
    table.add({error.model, percent(error.median), percent(error.ninetieth), percent(error.worst),
               fmt::format("{}", error.samples),
               ranked ? fmt::format("{} of {}", ranking->right, ranking->contests) : "",
               ranked ? percent(ranking->mean_loss) : ""});
  }
  // In a simulation the clock goes on to the next common start, which costs nobody anything.
  const std::string time = machine::simulated() ? "" : fmt::format(" in {:.2f} s", survey.trials.seconds);
  return fmt::format(
      "How far predictions are from what was measured, at sizes and numbers of ranks that nothing was fitted to\n"
      "({} collectives timed{})\n\n{}",
      survey.trials.measurements, time, table.text());
}

std::string choices(const Survey& survey) {
  Table table({"cluster", "operation", "bytes", "believed", "its error", "fastest", "predicted"}, "<<><><>");
  for (const Choice& choice : survey.choices) {
    std::string algorithm = choice.algorithm;
    if (choice.segment > 0) algorithm += fmt::format(", segments of {} B", choice.segment);
    table.add({choice.scope, std::string(name(choice.operation)), fmt::format("{}", choice.bytes), choice.model,
               percent(choice.error), algorithm, readable(choice.predicted)});
  }
  return "Which model is believed (poly-adapt-1), and the fastest algorithm by it (poly-adapt-2)\n\n" + table.text();
}

}  // namespace

std::string to_text(const Survey& survey) {
  std::string text = costs(survey);
  if (const std::string found = thresholds_text(survey.platform); !found.empty()) text += "\n" + found;
  if (const std::string found = contention_text(survey.platform); !found.empty()) text += "\n" + found;
  if (!survey.judged.empty()) text += "\n" + errors(survey);
  if (!survey.choices.empty()) text += "\n" + choices(survey);
  return text;
}

namespace {

std::string lines(const std::vector<Sample>& samples, const char* use) {
  std::string text;
  for (const Sample& s : samples) {
    for (const auto& [model, predicted] : s.predicted) {
      text +=
          fmt::format("{},{},{},{},{},{},{},{},{:.12g},{:.12g},{}\n", model, csv_field(s.scope), name(s.operation),
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

namespace {

// By algorithm and segments, in the order in which they were timed.
std::vector<Diagram> diagrams_of(const std::vector<const Sample*>& samples) {
  std::vector<std::string> models;
  for (const Sample* sample : samples) {
    for (const auto& [model, time] : sample->predicted) models.push_back(model);
  }
  std::ranges::sort(models);
  models.erase(std::unique(models.begin(), models.end()), models.end());
  std::vector<Diagram> diagrams;
  for (const Sample* sample : samples) {
    std::string title = sample->algorithm;
    if (sample->segment > 0) title += fmt::format(", segments of {} B", sample->segment);
    auto diagram = std::ranges::find(diagrams, title, &Diagram::first);
    if (diagram == diagrams.end()) {
      std::vector<Curve> curves{{"measured", "points pt 7 ps 0.7 lc 'black'", {}}};
      for (const std::string& model : models) {
        const char* const width = model == poly_name ? "2.5" : "1";
        curves.push_back({model, fmt::format("lines lw {} lc {}", width, curves.size()), {}});
      }
      diagram = diagrams.insert(diagram, {title, std::move(curves)});
    }
    diagram->second[0].points.push_back({.bytes = sample->bytes, .time = sample->measured});
    for (std::size_t m = 0; m < models.size(); ++m) {
      const auto found = sample->predicted.find(models[m]);
      if (found == sample->predicted.end()) continue;
      diagram->second[m + 1].points.push_back({.bytes = sample->bytes, .time = found->second});
    }
  }
  return diagrams;
}

std::string file_name_of(const std::string& scope, Operation operation) {
  std::string text = scope + "-" + std::string(name(operation)) + ".svg";
  for (char& c : text) {
    const bool plain =
        (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '.';
    if (!plain) c = '_';
  }
  return text;
}

}  // namespace

Pictures pictures(const Survey& survey) {
  std::map<std::pair<std::string, Operation>, std::vector<const Sample*>> by_place;
  for (const Sample& sample : survey.judged) {
    if (sample.bytes > 0) by_place[{sample.scope, sample.operation}].push_back(&sample);
  }
  Pictures found;
  for (const auto& [place, samples] : by_place) {
    const auto& [scope, operation] = place;
    const std::string title = fmt::format("{} in {}, {} ranks", name(operation), scope, samples.front()->ranks);
    found.emplace_back(file_name_of(scope, operation), drawn_curves(title, diagrams_of(samples)));
  }
  return found;
}

}  // namespace tombolo::modelling
