#pragma once

#include <span>
#include <string>
#include <vector>

#include <tombolo/collectives/sample.hpp>

namespace tombolo {

/// How far a model's predictions are from what was measured, |predicted / measured - 1|. For reports: it decides
/// nothing.
struct ModelErrors {
  std::string model;
  int samples = 0;
  double median = 0;
  double ninetieth = 0;  ///< the smallest error that nine tenths of the samples do not exceed
  double worst = 0;
};

/// Of every model that has predicted a sample, by name.
std::vector<ModelErrors> errors_of_models(std::span<const Sample> samples);

/// How good a model is for choosing. A contest is between all samples of one scope, operation, number of ranks, root
/// and size that differ in algorithm or segments, without baselines, which nothing is planned with; the model takes the
/// one that it predicts to be fastest, the first of equals.
struct ModelRanking {
  std::string model;
  int contests = 0;      ///< in which it has predicted all
  int right = 0;         ///< in which what it takes was also measured to be fastest
  double mean_loss = 0;  ///< over the others: measured time of what it takes over the fastest's, less 1
  double worst_loss = 0;
};

/// Of every model that has predicted all of a contest, by name. A sample alone is no contest.
std::vector<ModelRanking> rankings_of_models(std::span<const Sample> samples);

}  // namespace tombolo
