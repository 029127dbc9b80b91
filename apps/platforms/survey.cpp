#include "platforms/survey.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include <tombolo/collectives/calibrate/trusted_models.hpp>
#include <tombolo/collectives/mpi/timing/makespan.hpp>
#include <tombolo/framework/report/progress_printer.hpp>
#include <tombolo/models/mpi/mpi_laboratory.hpp>
#include <tombolo/platform/mpi/machine.hpp>
#include <tombolo/platform/mpi/of_all_ranks.hpp>
#include <tombolo/platform/mpi/text_from.hpp>
#include <tombolo/platform/system/posix_file.hpp>
#include <tombolo/session.hpp>
#include <tombolo/units.hpp>

#include "collectives/cells.hpp"
#include "load_platform.hpp"
#include "platforms/contention.hpp"
#include "platforms/thresholds.hpp"

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

// Of three numbers of ranks, so that how a model depends on that counts.
std::vector<TrialChoice> fitting(const Scope& scope, const Options& options) {
  const int ranks = static_cast<int>(scope.ranks.size());
  std::vector<TrialChoice> choices;
  for (const int some : {std::max(2, ranks / 3), std::max(2, ranks / 2), std::max(2, ranks * 2 / 3)}) {
    if (!choices.empty() && choices.back().ranks == some) continue;
    choices.push_back({.operations = operations_of(options),
                       .sizes = sizes_between(sizes_in(options.bytes)),
                       .ranks = some,
                       .root = 0});
  }
  return choices;
}

TrialChoice judging(const Scope& scope, const Options& options) {
  const int ranks = static_cast<int>(scope.ranks.size());
  return {.operations = operations_of(options), .sizes = sizes_in(options.bytes), .ranks = ranks, .root = ranks - 1};
}

std::vector<PlatformModel> models_of(const Platform& platform, const Estimates& estimates) {
  std::vector<PlatformModel> models;
  for (const ModelKind* kind : all_models()) {
    const std::string name(kind->name);
    if (estimates.contains(name)) models.push_back(platform_model(platform, estimates, name));
  }
  return models;
}

std::vector<Choice> choices_of(const Survey& survey, const std::vector<PlatformModel>& models, const Options& options) {
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
          if (trial.plan.algorithm().baseline) continue;  // timed, but nothing is planned with it
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

// What was chosen before for operations that are not timed now still holds.
void keep_others(PolyModel& poly, const Platform& platform, const std::vector<Operation>& timed) {
  const auto before = platform.sections.find(poly_section);
  if (before == platform.sections.end()) return;
  const std::string name = fmt::format("the platform's section \"{}\"", poly_section);
  for (PolyModel::Entry& entry : poly_from_json(before->second, name).entries) {
    if (std::find(timed.begin(), timed.end(), entry.operation) == timed.end()) poly.entries.push_back(std::move(entry));
  }
}

// Minutes of measuring should not end where memory does.
void require_room(Session& session, const Options& options) {
  std::vector<Bytes> sizes = sizes_in(options.bytes);
  const std::vector<Bytes> between = sizes_between(sizes);
  sizes.insert(sizes.end(), between.begin(), between.end());
  std::vector<timing::Cell> cells;
  for (const Operation operation : operations_of(options)) {
    for (const Bytes bytes : sizes) cells.push_back({operation, bytes, 0});
  }
  agree(session.communicator(), [&] {
    for (const timing::Cell& cell : cells) timing::request_of(cell, session.ranks());  // there is one
  });
  timing::require_room(session, cells);
}

// The parts of the budget until which models are estimated, and thresholds looked for; then collectives are timed.
constexpr double until_thresholds = 0.55;
double until_estimated(const Options& options) {
  return options.estimate_only ? (options.no_thresholds ? 1 : 0.65) : 0.4;
}

// What is left of the budget, the same on all ranks.
class Clock {
 public:
  Clock(Session& session, const Options& options)
      : communicator_(session.communicator()), begin_(machine::now()), budget_(options.budget) {
    if (budget_ == 0) budget_ = machine::simulated() ? std::numeric_limits<double>::infinity() : usual_budget;
  }
  /// Seconds until a part of the budget is spent. Collective.
  double left(double part) const {
    const double spent = of_rank_0(communicator_, seconds(machine::now() - begin_));
    return std::max(0.0, part * budget_ - spent);
  }
  /// "212 s left  ", for a ProgressPrinter; nothing without a limit. Local.
  std::function<std::string()> stamp() const {
    if (budget_ >= seconds(never)) return {};
    return [begin = begin_, budget = budget_] {
      return fmt::format("{:4.0f} s left  ", std::max(0.0, budget - seconds(machine::now() - begin)));
    };
  }

 private:
  MPI_Comm communicator_;
  Picoseconds begin_;
  double budget_;
};

Platform platform_of(Session& session, const Options& options) {
  if (!options.platform.empty()) session.use_platform(options.platform);
  return session.find_platform();
}

}  // namespace

Survey make_survey(Session& session, const Options& options, const Keep& keep) {
  Survey survey;
  const Clock clock(session, options);
  if (!options.estimate_only) require_room(session, options);
  survey.platform = platform_of(session, options);
  if (!options.anew) {
    agree(session.communicator(), [&] { survey.estimates = stored_estimates(survey.platform); });
    // What a discovery had no time for.
    std::erase_if(survey.estimates,
                  [](const auto& estimate) { return estimate.second.parameters.contains("left_out"); });
  }
  std::vector<const ModelKind*> kinds = kinds_of(options);
  std::erase_if(kinds, [&](const ModelKind* kind) { return survey.estimates.contains(std::string(kind->name)); });
  // On whichever rank knows how far it is.
  ProgressPrinter progress(true, ProgressPrinter::Style::lines, clock.stamp());
  std::size_t number = 0;
  const auto made = [&](std::int64_t experiments) {
    if (session.rank() == 0) progress.at(fmt::format("{} experiments", experiments));
  };
  survey.estimates.merge(estimate_models(
      session.communicator(), survey.platform, kinds,
      {.serial = options.serial, .seconds = clock.left(until_estimated(options)), .progress = made},
      [&](const ModelKind& kind) { progress.begin(fmt::format("estimating {}", kind.name), ++number, kinds.size()); }));
  store_estimates(survey.platform, survey.estimates);
  if (!kinds.empty()) keep(survey.platform);
  if (!options.no_thresholds) {
    find_thresholds(session, survey.platform, options.anew, clock.left(options.estimate_only ? 1 : until_thresholds),
                    progress);
    keep(survey.platform);
  }
  if (options.estimate_only) return survey;

  std::vector<Trial> fitted;
  std::vector<Trial> judged;
  const std::vector<Scope> scopes = scopes_of(survey.platform);
  for (std::size_t i = 0; i < scopes.size(); ++i) {
    const Scope& scope = scopes[i];
    // Only they know how far they are; the lowest of them is the first in whatever is timed here.
    if (session.rank() == scope.ranks.front()) {
      progress.begin(fmt::format("timing collectives in {}", scope.name), i + 1, scopes.size());
    }
    std::vector<TrialChoice> choices = fitting(scope, options);
    choices.push_back(judging(scope, options));
    std::vector<std::vector<Trial>> trials;
    std::size_t all = 0;
    for (const TrialChoice& choice : choices) all += trials.emplace_back(trials_of(scope, choice)).size();
    std::size_t done = 0;
    for (std::size_t k = 0; k < trials.size(); ++k) {
      std::vector<Trial>& some = trials[k];
      const double share = clock.left(1) / static_cast<double>((scopes.size() - i) * trials.size() - k);
      survey.trials +=
          time_trials(session.communicator(), some, Repeat{}, share, [&](const Trial&) { progress.at(done++, all); });
      survey.not_timed += static_cast<std::int64_t>(
          std::erase_if(some, [](const Trial& trial) { return trial.sample.measured == not_timed; }));
      std::vector<Trial>& into = &some == &trials.back() ? judged : fitted;
      into.insert(into.end(), std::make_move_iterator(some.begin()), std::make_move_iterator(some.end()));
    }
  }
  agree(session.communicator(), [&] {
    if (session.rank() != 0) return;
    const auto models = models_of(survey.platform, survey.estimates);
    progress.begin("comparing with predictions");
    std::size_t done = 0;
    for (std::vector<Trial>* trials : {&fitted, &judged}) {
      for (Trial& trial : *trials) {
        predict_trial(trial, models);
        progress.at(++done, fitted.size() + judged.size());
      }
    }
    std::map<std::string, double> costs;
    for (const auto& [name, estimate] : survey.estimates) costs[name] = estimate.cost.seconds;
    for (const Trial& trial : fitted) survey.fitted.push_back(trial.sample);
    survey.poly = poly_adapt_1(survey.fitted, costs);
    survey.fitted.clear();
    // They say how long an exchange takes, but cannot run a plan: no models to believe.
    std::vector<ScopeContention> contention = predict_contention(survey.platform, fitted, judged);
    for (Trial& trial : fitted) survey.fitted.push_back(std::move(trial.sample));
    for (Trial& trial : judged) survey.judged.push_back(std::move(trial.sample));
    for (std::vector<Sample>* samples : {&survey.fitted, &survey.judged}) {
      for (Sample& sample : *samples) {
        if (const auto predicted = predicted_by(survey.poly, sample)) sample.predicted[poly_name] = *predicted;
      }
    }
    keep_better(contention, survey.judged, poly_name);
    if (!contention.empty()) store_contention(survey.platform, contention);
    survey.choices = choices_of(survey, models, options);
    keep_others(survey.poly, survey.platform, operations_of(options));
    survey.platform.sections[poly_section] = to_json(survey.poly);
  });
  for (const char* const section : {poly_section, contention_section}) {
    std::string text = text_from(session.communicator(), 0, survey.platform.sections[section]);
    if (text.empty()) {
      survey.platform.sections.erase(section);
    } else {
      survey.platform.sections[section] = std::move(text);
    }
  }
  return survey;
}

Survey stored_survey(const std::string& file, const Options& options) {
  Survey survey;
  survey.platform = load_platform(file, "");
  survey.estimates = stored_estimates(survey.platform);
  if (survey.estimates.empty()) {
    throw Error(fmt::format("{} knows nothing of models", printable(file)),
                "run tombolo models on its ranks, with --output");
  }
  const auto poly = survey.platform.sections.find(poly_section);
  if (poly == survey.platform.sections.end()) return survey;
  survey.poly = poly_from_json(poly->second, fmt::format("section \"{}\" of {}", poly_section, printable(file)));
  survey.choices = choices_of(survey, models_of(survey.platform, survey.estimates), options);
  return survey;
}

}  // namespace tombolo::modelling
