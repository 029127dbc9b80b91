#pragma once

#include <cstdint>

#include <tombolo/collectives/predict/predict.hpp>
#include <tombolo/collectives/predict/search_budget.hpp>

namespace tombolo {

/// Accuracy and cost limits of one prediction.
struct Fidelity {
  Sharing sharing = Sharing::fair;
  /// Time of a further period: true takes the difference to a simulation of half as many segments; false takes the load
  /// of the busiest processor, port or link only, which is too low if windows delay messages.
  bool steady = true;
  std::int64_t segments = 16;       ///< least number of simulated segments of a longer vector
  std::int64_t messages = 1 << 12;  ///< most simulated messages, unless two segments need more
  /// Most messages of whole parts through several trees that a quick look simulates (Sharing::queued).
  std::int64_t over_trees = 1 << 13;
  /// Most messages of a plan simulated whole if `messages` would not fill its windows. Of a `steady` look at a plan
  /// with detours four times as many, full windows or not: segments hold each other up at relays.
  std::int64_t whole = 1 << 15;
  Picoseconds limit = never;  ///< longer predictions are abandoned
};

/// Predicted makespan of a plan. Of many segments only a few are simulated: once a pipeline is full, each further
/// period takes as long as the one before. Of an algorithm of regular rounds (Algorithm::regular)
/// with more messages than `look.messages` none are simulated if links are equal. Of an algorithm with
/// Algorithm::in_a_row that has more messages than the budget, the busiest processor, port or link is found without
/// simulation; of a direct alltoall from some of the distances between ranks. Returns `never` for plans with more
/// messages than the budget (a fresh one if null) has left, and for plans that take longer than the limit. Ranks must
/// know all counts.
Picoseconds pipeline_time(const Plan& plan, const Model& model, const Fidelity& look = {},
                          SearchBudget* budget = nullptr);

}  // namespace tombolo
