#pragma once

#include <memory>
#include <span>
#include <vector>

#include <tombolo/collectives/plan.hpp>
#include <tombolo/collectives/sample.hpp>
#include <tombolo/collectives/scopes.hpp>
#include <tombolo/models/model.hpp>

namespace tombolo {

/// A plan that is to be timed, on some ranks of a platform.
struct Trial {
  Plan plan;
  std::vector<Rank> ranks;  ///< of the platform; rank r of the plan is ranks[r]
  Sample sample;            ///< what it is a sample of; measured and predicted come later
};

/// Which trials are made of a scope.
struct TrialChoice {
  std::vector<Operation> operations;
  std::vector<Bytes> sizes;  ///< as Sample::bytes
  int ranks = 0;             ///< so many of the scope's
  Rank root = 0;             ///< of the plans
};

/// Every algorithm of these operations, but those that throttle, with every size, whole and, where an algorithm cuts
/// vectors into segments, in segments of 16 KiB. Blocks are left out that are larger than 256 KiB, in a total exchange
/// 64 KiB, as much else is under way then; a barrier has one size, 0.
std::vector<Trial> trials_of(const Scope& scope, const TrialChoice& choice);

/// What each of the models says of the trial, entered into its sample. The models are of the whole platform.
void predict_trial(Trial& trial, std::span<const std::unique_ptr<Model>> models);

}  // namespace tombolo
