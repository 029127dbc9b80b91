#pragma once

#include <map>
#include <span>
#include <string>
#include <vector>

#include <tombolo/collectives/request/operation.hpp>
#include <tombolo/units.hpp>

namespace tombolo {

/// A timed run of a collective, and its predicted times.
struct Sample {
  std::string scope;  ///< of the ranks: a logical cluster, "between clusters", "all"
  Operation operation = Operation::barrier;
  std::string algorithm;
  Bytes segment = 0;  ///< Parameters::segment_bytes
  int ranks = 0;
  Rank root = 0;
  Bytes bytes = 0;  ///< as in regular_request()
  Picoseconds measured = 0;
  std::map<std::string, Picoseconds> predicted = {};  ///< by model
};

/// The errors of a model's predictions, |predicted / measured - 1|. For reports only.
struct ModelErrors {
  std::string model;
  int samples = 0;
  double median = 0;
  double ninetieth = 0;  ///< the smallest error that at least nine tenths of the samples do not exceed
  double worst = 0;
};

/// Returns the errors of every model with predictions, by name.
std::vector<ModelErrors> errors_of_models(std::span<const Sample> samples);

/// The quality of a model for choosing. A contest consists of all samples of one scope, operation, number of ranks,
/// root and size that differ in algorithm or segments, without baselines, which are never chosen. The model picks the
/// sample that it predicts to be fastest, the first among equals.
struct ModelRanking {
  std::string model;
  int contests = 0;      ///< contests with all samples predicted
  int right = 0;         ///< contests in which the pick was measured to be fastest
  double mean_loss = 0;  ///< over the other contests: measured time of the pick over the fastest, minus 1
  double worst_loss = 0;
};

/// Returns the ranking of every model that predicts all samples of a contest, by name. A single sample is no contest.
std::vector<ModelRanking> rankings_of_models(std::span<const Sample> samples);

}  // namespace tombolo
