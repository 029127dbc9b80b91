#include "models/survey.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <utility>

#include <fmt/format.h>

#include <tombolo/collectives/mpi/time_trials.hpp>
#include <tombolo/collectives/trusted_models.hpp>
#include <tombolo/framework/mpi/agree.hpp>
#include <tombolo/models/mpi/estimate_models.hpp>
#include <tombolo/platform/error.hpp>
#include <tombolo/platform/mpi/text_from.hpp>

#include "load_platform.hpp"
#include "models/contention.hpp"
#include "models/thresholds.hpp"
#include "size_range.hpp"

namespace tombolo::modelling {

namespace {

std::vector<const ModelKind*> kinds_of(const Options& options) {
  std::vector<const ModelKind*> kinds;
  for (const ModelKind* kind : all_models()) {
    const bool wanted = options.models.empty() ||
                        std::find(options.models.begin(), options.models.end(), kind->name) != options.models.end();
    if (wanted) kinds.push_back(kind);
  }
  return kinds;
}

std::vector<Operation> operations_of(const Options& options) {
  std::vector<Operation> operations;
  for (const Algorithm* algorithm : all_algorithms()) {
    const Operation operation = algorithm->operation;
    if (!operations.empty() && operations.back() == operation) continue;
    const bool wanted = options.operations.empty() || std::find(options.operations.begin(), options.operations.end(),
                                                                name(operation)) != options.operations.end();
    if (wanted) operations.push_back(operation);
  }
  return operations;
}

// Between the sizes that are judged, in the geometric middle.
std::vector<Bytes> sizes_between(const std::vector<Bytes>& sizes) {
  std::vector<Bytes> between;
  for (std::size_t i = 0; i + 1 < sizes.size(); ++i) {
    between.push_back(std::llround(std::sqrt(static_cast<double>(sizes[i]) * static_cast<double>(sizes[i + 1]))));
  }
  if (between.empty()) between.push_back(sizes.front() * 2);
  return between;
}

// Of two numbers of ranks, so that how a model depends on that counts.
std::vector<TrialChoice> fitting(const Scope& scope, const Options& options) {
  const int ranks = static_cast<int>(scope.ranks.size());
  std::vector<TrialChoice> choices;
  for (const int some : {std::max(2, ranks / 3), std::max(2, ranks * 2 / 3)}) {
    if (!choices.empty() && choices.back().ranks == some) continue;
    choices.push_back({.operations = operations_of(options),
                       .sizes = sizes_between(size_range(options.bytes)),
                       .ranks = some,
                       .root = 0});
  }
  return choices;
}

TrialChoice judging(const Scope& scope, const Options& options) {
  const int ranks = static_cast<int>(scope.ranks.size());
  return {.operations = operations_of(options), .sizes = size_range(options.bytes), .ranks = ranks, .root = ranks - 1};
}

std::vector<std::unique_ptr<Model>> models_of(const Platform& platform, const Estimates& estimates) {
  std::vector<std::unique_ptr<Model>> models;
  for (const ModelKind* kind : all_models()) {
    const std::string name(kind->name);
    if (estimates.contains(name)) models.push_back(stored_model(platform, estimates, name));
  }
  return models;
}

std::vector<Choice> choices_of(const Survey& survey, const std::vector<std::unique_ptr<Model>>& models,
                               const Options& options) {
  std::vector<Choice> choices;
  for (const Scope& scope : scopes_of(survey.platform)) {
    TrialChoice which = judging(scope, options);
    which.root = 0;
    std::vector<Trial> trials = trials_of(scope, which);
    for (Trial& trial : trials) predict_trial(trial, models);
    for (const Operation operation : which.operations) {
      std::vector<Bytes> sizes;
      for (const Trial& trial : trials) {
        if (trial.sample.operation == operation) sizes.push_back(trial.sample.bytes);
      }
      std::sort(sizes.begin(), sizes.end());
      sizes.erase(std::unique(sizes.begin(), sizes.end()), sizes.end());
      for (const Bytes bytes : sizes) {
        std::vector<Forecast> forecasts;
        for (const Trial& trial : trials) {
          const Sample& sample = trial.sample;
          if (sample.operation != operation || sample.bytes != bytes) continue;
          forecasts.push_back(
              {.algorithm = sample.algorithm, .segment = sample.segment, .predicted = sample.predicted});
        }
        const auto found = poly_adapt_2(survey.poly, scope.name, operation, bytes, forecasts);
        if (!found) continue;
        const Forecast& taken = forecasts[found->index];
        const PolyModel::Range* range = survey.poly.find(scope.name, operation, taken.algorithm, bytes);
        choices.push_back({.scope = scope.name,
                           .operation = operation,
                           .bytes = bytes,
                           .algorithm = taken.algorithm,
                           .segment = taken.segment,
                           .model = found->model,
                           .error = static_cast<double>(range->error) / one_in_millionths,
                           .predicted = found->predicted});
      }
    }
  }
  return choices;
}

void say(Session& session, const std::string& what) {
  if (session.rank() == 0) fmt::print(stderr, "{}\n", what);
}

Platform platform_of(Session& session, const Options& options) {
  if (!options.platform.empty()) session.use_platform(options.platform);
  return session.platform();
}

}  // namespace

Survey make_survey(Session& session, const Options& options) {
  Survey survey;
  survey.platform = platform_of(session, options);
  if (!options.anew) survey.estimates = stored_estimates(survey.platform);
  std::vector<const ModelKind*> kinds = kinds_of(options);
  std::erase_if(kinds, [&](const ModelKind* kind) { return survey.estimates.contains(std::string(kind->name)); });
  survey.estimates.merge(
      estimate_models(session.communicator(), survey.platform, kinds, {.serial = options.serial},
                      [](const ModelKind& kind) { fmt::print(stderr, "estimating {}\n", kind.name); }));
  store_estimates(survey.platform, survey.estimates);
  find_thresholds(session, survey.platform, options);
  if (options.estimate_only) return survey;

  std::vector<Trial> fitted;
  std::vector<Trial> judged;
  for (const Scope& scope : scopes_of(survey.platform)) {
    say(session, fmt::format("timing collectives in {}", scope.name));
    const auto time = [&](const TrialChoice& choice, std::vector<Trial>& into) {
      std::vector<Trial> trials = trials_of(scope, choice);
      survey.trials += time_trials(session.communicator(), trials, Repeat{});
      into.insert(into.end(), std::make_move_iterator(trials.begin()), std::make_move_iterator(trials.end()));
    };
    for (const TrialChoice& choice : fitting(scope, options)) time(choice, fitted);
    time(judging(scope, options), judged);
  }
  std::string poly;
  agree(session.communicator(), [&] {
    if (session.rank() != 0) return;
    say(session, "comparing with predictions");
    const auto models = models_of(survey.platform, survey.estimates);
    for (Trial& trial : fitted) predict_trial(trial, models);
    for (Trial& trial : judged) predict_trial(trial, models);
    std::map<std::string, double> costs;
    for (const auto& [name, estimate] : survey.estimates) costs[name] = estimate.cost.seconds;
    for (const Trial& trial : fitted) survey.fitted.push_back(trial.sample);
    survey.poly = poly_adapt_1(survey.fitted, costs);
    survey.fitted.clear();
    // They say how long an exchange takes, but cannot run a plan: for comparison only.
    predict_contention(survey.platform, fitted, judged);
    for (Trial& trial : fitted) survey.fitted.push_back(std::move(trial.sample));
    for (Trial& trial : judged) survey.judged.push_back(std::move(trial.sample));
    for (std::vector<Sample>* samples : {&survey.fitted, &survey.judged}) {
      for (Sample& sample : *samples) {
        if (const auto predicted = predicted_by(survey.poly, sample)) sample.predicted[poly_name] = *predicted;
      }
    }
    survey.choices = choices_of(survey, models, options);
    poly = to_json(survey.poly);
  });
  survey.platform.sections[poly_section] = text_from(session.communicator(), 0, std::move(poly));
  return survey;
}

Survey stored_survey(const std::string& file, const Options& options) {
  Survey survey;
  survey.platform = load_platform(file, "");
  survey.estimates = stored_estimates(survey.platform);
  if (survey.estimates.empty()) {
    throw Error(fmt::format("{} knows nothing of models", file), "run tombolo models on its ranks, with --output");
  }
  const auto poly = survey.platform.sections.find(poly_section);
  if (poly == survey.platform.sections.end()) return survey;
  survey.poly = poly_from_json(poly->second, fmt::format("section \"{}\" of {}", poly_section, file));
  survey.choices = choices_of(survey, models_of(survey.platform, survey.estimates), options);
  return survey;
}

}  // namespace tombolo::modelling
