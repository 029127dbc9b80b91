#include <limits>

#include <tombolo/collectives/predict.hpp>
#include <tombolo/collectives/regular.hpp>
#include <tombolo/collectives/trials.hpp>
#include <tombolo/models/on_ranks.hpp>

namespace tombolo {

namespace {

constexpr Bytes segment = Bytes{16} * 1024;
// Enough to keep a link busy, few enough that they do not all arrive late.
constexpr int window = 8;

Bytes largest(Operation operation) {
  switch (sizes(operation)) {
    case Sizes::none:
      return 0;
    case Sizes::vector:
      return std::numeric_limits<Bytes>::max();
    case Sizes::blocks:
      if (operation == Operation::reduce_scatter) return std::numeric_limits<Bytes>::max();  // counted as a vector
      return Bytes{256} * 1024;
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
    const std::vector<Bytes> sizes = operation == Operation::barrier ? std::vector<Bytes>{0} : choice.sizes;
    for (const Algorithm* algorithm : algorithms_for(operation)) {
      if (algorithm->throttles || algorithm->mapped) continue;  // without a window or trees it is one of the others
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
        if (algorithm->segments && bytes > segment) add({.segment_bytes = segment, .window = window});
      }
    }
  }
  return trials;
}

void predict_trial(Trial& trial, std::span<const std::unique_ptr<Model>> models) {
  for (const std::unique_ptr<Model>& model : models) {
    trial.sample.predicted[model->name()] = predict(trial.plan, OnRanks(*model, trial.ranks)).makespan;
  }
}

}  // namespace tombolo
