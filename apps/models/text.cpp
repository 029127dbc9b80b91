// report.hpp's to_text.
#include <algorithm>

#include <fmt/format.h>

#include <tombolo/collectives/calibrate/models/accuracy.hpp>
#include <tombolo/framework/report/table.hpp>
#include <tombolo/models/kinds/model_kind.hpp>
#include <tombolo/platform/mpi/machine.hpp>
#include <tombolo/platform/readable.hpp>

#include "models/contention.hpp"
#include "models/report.hpp"
#include "models/thresholds.hpp"

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

}  // namespace tombolo::modelling
