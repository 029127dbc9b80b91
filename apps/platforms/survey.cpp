#include "platforms/survey.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <map>
#include <optional>
#include <string_view>
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

bool is_wanted(const std::vector<std::string>& named, std::string_view name) {
  return named.empty() || std::ranges::find(named, name) != named.end();
}

std::vector<const ModelKind*> kinds_of(const Options& options) {
  std::vector<const ModelKind*> kinds(all_models().begin(), all_models().end());
  std::erase_if(kinds, [&](const ModelKind* kind) { return !is_wanted(options.models, kind->name); });
  return kinds;
}

std::vector<Operation> operations_of(const Options& options) {
  std::vector<Operation> operations = all_operations();
  std::erase_if(operations, [&](Operation operation) { return !is_wanted(options.operations, name(operation)); });
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

// What is taken for one operation and size of a scope: the fastest of these forecasts by the model that is believed for
// it; none if the poly-model has no model for any of them.
std::optional<Choice> choice_of(const PolyModel& poly, const std::string& scope, Operation operation, Bytes bytes,
                                const std::vector<Forecast>& forecasts) {
  const auto found = poly_adapt_2(poly, scope, operation, bytes, forecasts);
  if (!found) return std::nullopt;
  const Forecast& taken = forecasts[found->index];
  const PolyModel::Range* range = poly.find(scope, operation, taken.algorithm, bytes);
  return Choice{.scope = scope,
                .operation = operation,
                .bytes = bytes,
                .algorithm = taken.algorithm,
                .segment = taken.segment,
                .model = found->model,
                .error = static_cast<double>(range->error) / one_in_millionths,
                .predicted = found->predicted};
}

std::vector<Choice> choices_of(const Survey& survey, const std::vector<PlatformModel>& models, const Options& options) {
  std::vector<Choice> choices;
  for (const Scope& scope : scopes_of(survey.platform)) {
    TrialChoice which = judging(scope, options);
    which.root = 0;
    std::map<std::pair<Operation, Bytes>, std::vector<Forecast>> forecasts;
    for (Trial& trial : trials_of(scope, which)) {
      if (trial.plan.algorithm().baseline) continue;  // timed, but nothing is planned with it
      predict_trial(trial, models);
      const Sample& sample = trial.sample;
      forecasts[{sample.operation, sample.bytes}].push_back(
          {.algorithm = sample.algorithm, .segment = sample.segment, .predicted = sample.predicted});
    }
    for (const auto& [cell, of_cell] : forecasts) {
      const auto& [operation, bytes] = cell;
      if (auto choice = choice_of(survey.poly, scope.name, operation, bytes, of_cell)) {
        choices.push_back(std::move(*choice));
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

std::vector<Sample> samples_of(const std::vector<Trial>& trials) {
  std::vector<Sample> samples;
  for (const Trial& trial : trials) samples.push_back(trial.sample);
  return samples;
}

/// Makes a survey, one stage after the other. The stages are collective.
class Surveyor {
 public:
  Surveyor(Session& session, const Options& options, const Keep& keep)
      : session_(session),
        options_(options),
        keep_(keep),
        clock_(session, options),
        progress_(true, ProgressPrinter::Style::lines, clock_.stamp()) {}

  Survey survey() {
    if (!options_.estimate_only) require_room(session_, options_);
    survey_.platform = platform_of(session_, options_);
    estimate_all();
    if (!options_.no_thresholds) {
      find_thresholds(session_, survey_.platform, options_.anew,
                      clock_.left(options_.estimate_only ? 1 : until_thresholds), progress_);
      keep_(survey_.platform);
    }
    if (options_.estimate_only) return std::move(survey_);
    time_collectives();
    agree(session_.communicator(), [&] {
      if (session_.rank() == 0) compare();
    });
    share_sections();
    return std::move(survey_);
  }

 private:
  // Estimates the models that the platform does not have yet.
  void estimate_all() {
    if (!options_.anew) {
      agree(session_.communicator(), [&] { survey_.estimates = stored_estimates(survey_.platform); });
      // What a discovery had no time for.
      std::erase_if(survey_.estimates,
                    [](const auto& estimate) { return estimate.second.parameters.contains("left_out"); });
    }
    std::vector<const ModelKind*> kinds = kinds_of(options_);
    std::erase_if(kinds, [&](const ModelKind* kind) { return survey_.estimates.contains(std::string(kind->name)); });
    std::size_t number = 0;
    const auto begins = [&](const ModelKind& kind) {
      progress_.begin(fmt::format("estimating {}", kind.name), ++number, kinds.size());
    };
    const auto made = [&](std::int64_t experiments) {
      if (session_.rank() == 0) progress_.at(fmt::format("{} experiments", experiments));
    };
    survey_.estimates.merge(estimate_models(
        session_.communicator(), survey_.platform, kinds,
        {.serial = options_.serial, .seconds = clock_.left(until_estimated(options_)), .progress = made}, begins));
    store_estimates(survey_.platform, survey_.estimates);
    if (!kinds.empty()) keep_(survey_.platform);
  }

  // Times the collectives of each scope: those that the poly-model is made from, then those that judge it.
  void time_collectives() {
    const std::vector<Scope> scopes = scopes_of(survey_.platform);
    for (std::size_t i = 0; i < scopes.size(); ++i) {
      const Scope& scope = scopes[i];
      // Only they know how far they are; the lowest of them is the first in whatever is timed here.
      if (session_.rank() == scope.ranks.front()) {
        progress_.begin(fmt::format("timing collectives in {}", scope.name), i + 1, scopes.size());
      }
      std::vector<std::vector<Trial>> trials;
      for (const TrialChoice& choice : fitting(scope, options_)) trials.push_back(trials_of(scope, choice));
      trials.push_back(trials_of(scope, judging(scope, options_)));
      std::size_t all = 0;
      for (const std::vector<Trial>& some : trials) all += some.size();
      std::size_t done = 0;
      for (std::size_t k = 0; k < trials.size(); ++k) {
        std::vector<Trial>& some = trials[k];
        const double share = clock_.left(1) / static_cast<double>((scopes.size() - i) * trials.size() - k);
        survey_.trials += time_trials(session_.communicator(), some, Repeat{}, share,
                                      [&](const Trial&) { progress_.at(done++, all); });
        survey_.not_timed += static_cast<std::int64_t>(
            std::erase_if(some, [](const Trial& trial) { return trial.sample.measured == not_timed; }));
        std::vector<Trial>& into = k + 1 < trials.size() ? fitted_ : judged_;
        std::ranges::move(some, std::back_inserter(into));
      }
    }
  }

  // Compares what was timed with predictions, and makes the poly-model, the signatures of contention and the choices.
  // On rank 0.
  void compare() {
    const auto models = models_of(survey_.platform, survey_.estimates);
    progress_.begin("comparing with predictions");
    std::size_t done = 0;
    for (std::vector<Trial>* trials : {&fitted_, &judged_}) {
      for (Trial& trial : *trials) {
        predict_trial(trial, models);
        progress_.at(++done, fitted_.size() + judged_.size());
      }
    }
    std::map<std::string, double> costs;
    for (const auto& [name, estimate] : survey_.estimates) costs[name] = estimate.cost.seconds;
    survey_.poly = poly_adapt_1(samples_of(fitted_), costs);
    // They say how long an exchange takes, but cannot run a plan: no models to believe, so the poly-model comes first.
    std::vector<ScopeContention> contention = predict_contention(survey_.platform, fitted_, judged_);
    survey_.fitted = samples_of(fitted_);
    survey_.judged = samples_of(judged_);
    for (std::vector<Sample>* samples : {&survey_.fitted, &survey_.judged}) {
      for (Sample& sample : *samples) {
        if (const auto predicted = predicted_by(survey_.poly, sample)) sample.predicted[poly_name] = *predicted;
      }
    }
    keep_better(contention, survey_.judged, poly_name);
    if (!contention.empty()) store_contention(survey_.platform, contention);
    survey_.choices = choices_of(survey_, models, options_);
    keep_others(survey_.poly, survey_.platform, operations_of(options_));
    survey_.platform.sections[poly_section] = to_json(survey_.poly);
  }

  // Gives all ranks the sections of the platform that rank 0 has made.
  void share_sections() {
    for (const char* const section : {poly_section, contention_section}) {
      std::string text = text_from(session_.communicator(), 0, survey_.platform.sections[section]);
      if (text.empty()) {
        survey_.platform.sections.erase(section);
      } else {
        survey_.platform.sections[section] = std::move(text);
      }
    }
  }

  Session& session_;
  const Options& options_;
  const Keep& keep_;
  const Clock clock_;
  ProgressPrinter progress_;  // on whichever rank knows how far it is
  Survey survey_;
  std::vector<Trial> fitted_, judged_;
};

}  // namespace

Survey make_survey(Session& session, const Options& options, const Keep& keep) {
  return Surveyor(session, options, keep).survey();
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
