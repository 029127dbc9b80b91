#include <limits>

#include <tombolo/collectives/calibrate/trials.hpp>
#include <tombolo/collectives/predict/predict.hpp>
#include <tombolo/collectives/request/regular.hpp>

namespace tombolo {

namespace {

constexpr Bytes segment = Bytes{16} * 1024;
// Enough to keep a link busy, few enough not to delay all of them.
constexpr int window = 8;

Bytes largest(Operation operation) {
  switch (sizes(operation)) {
    case Sizes::none:
      return 0;
    case Sizes::vector:
      return std::numeric_limits<Bytes>::max();
    case Sizes::blocks:
      return divides_vector(operation) ? std::numeric_limits<Bytes>::max() : Bytes{256} * 1024;
    case Sizes::exchange:
      return Bytes{64} * 1024;
  }
  return 0;
}

}  // namespace

std::vector<Trial> trials_of(const Scope& scope, const TrialChoice& choice) {
  const std::vector<Rank> ranks = some_of(scope, choice.ranks);
  std::vector<Trial> trials;
  for (const Operation operation : choice.operations) {
    const std::vector<Bytes> sizes = tombolo::sizes(operation) == Sizes::none ? std::vector<Bytes>{0} : choice.sizes;
    for (const Algorithm* algorithm : algorithms_for(operation)) {
      if (algorithm->throttles || algorithm->is_mapped())
        continue;  // without a window or trees, equal to another algorithm
      for (const Bytes bytes : sizes) {
        if (bytes > largest(operation)) continue;
        const Request request =
            regular_request(operation, choice.ranks, choice.root, bytes, combines(operation) ? 8 : 1);
        const auto add = [&](const Parameters& parameters) {
          trials.push_back({.plan = Plan(request, *algorithm, parameters),
                            .ranks = ranks,
                            .sample = {.scope = scope.name,
                                       .operation = operation,
                                       .algorithm = std::string(algorithm->name),
                                       .segment = parameters.segment_bytes,
                                       .ranks = choice.ranks,
                                       .root = choice.root,
                                       .bytes = bytes}});
        };
        add({});
        if (algorithm->heeds(Parameter::segment_bytes) && bytes > segment)
          add({.segment_bytes = segment, .window = window});
      }
    }
  }
  return trials;
}

void predict_trial(Trial& trial, std::span<const PlatformModel> models) {
  for (const PlatformModel& each : models) {
    const Model& model = each.for_algorithm(trial.plan.algorithm());
    trial.sample.predicted[model.name()] = predict(trial.plan, OnRanks(model, trial.ranks)).makespan;
  }
}

}  // namespace tombolo
