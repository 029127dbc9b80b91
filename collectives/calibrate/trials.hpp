#pragma once

#include <span>
#include <vector>

#include <tombolo/collectives/calibrate/platform_model.hpp>
#include <tombolo/collectives/calibrate/sample.hpp>
#include <tombolo/collectives/calibrate/scopes.hpp>
#include <tombolo/collectives/plan/plan.hpp>

namespace tombolo {

/// A plan to be timed on some ranks of a platform.
struct Trial {
  Plan plan;
  std::vector<Rank> ranks;  ///< of the platform; rank r of the plan is ranks[r]
  Sample sample;            ///< description of the trial; measured and predicted times follow later
};

/// The choice of trials for a scope.
struct TrialChoice {
  std::vector<Operation> operations;
  std::vector<Bytes> sizes;  ///< as in Sample::bytes
  int ranks = 0;             ///< number of ranks of the scope to use
  Rank root = 0;             ///< of the plans
};

/// Returns trials of every algorithm of the operations, except throttling and mapped ones, with every size, unsegmented
/// and, for algorithms with segments, in segments of 16 KiB. Leaves out blocks above 256 KiB, for alltoallv above 64
/// KiB, as as many bytes from every rank are in flight. A barrier has one size, 0.
std::vector<Trial> trials_of(const Scope& scope, const TrialChoice& choice);

/// Sets the predictions of each model in the sample of a trial. The models are of the whole platform.
void predict_trial(Trial& trial, std::span<const PlatformModel> models);

}  // namespace tombolo
