#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <tombolo/collectives/calibrate/poly_model.hpp>
#include <tombolo/collectives/calibrate/trials.hpp>
#include <tombolo/models/kinds/model_kind.hpp>
#include <tombolo/session.hpp>

#include "option_group.hpp"

namespace tombolo::modelling {

/// The options.
struct Options {
  std::string platform;  ///< file; empty: the one of these hosts
  std::string output;
  std::string plots;                    ///< folder; empty: none are drawn
  std::vector<std::string> models;      ///< empty: all
  std::vector<std::string> operations;  ///< empty: all
  std::string bytes = "64:4M:x4";
  Format format = Format::text;
  double budget = 0;  ///< seconds; 0: in a simulation as long as it takes, else usual_budget
  bool anew = false;
  bool serial = false;
  bool estimate_only = false;
  bool no_thresholds = false;
};

/// The algorithm that is chosen: the fastest one by the model that is believed.
struct Choice {
  std::string scope;
  Operation operation = Operation::barrier;
  Bytes bytes = 0;
  std::string algorithm;
  Bytes segment = 0;
  std::string model;
  double error = 0;  ///< of the model, on the samples that it was chosen by
  Picoseconds predicted = 0;
};

/// The models of a platform, and how they did. Complete on rank 0.
struct Survey {
  Platform platform;  ///< with its models and the poly-model stored
  Estimates estimates;
  PolyModel poly;
  std::vector<Sample> fitted;  ///< what the poly-model was made from
  std::vector<Sample> judged;  ///< other sizes and, where a scope has more than two, other numbers of ranks and roots
  ExperimentCost trials;       ///< of both
  std::int64_t not_timed = 0;  ///< trials left out, for lack of time
  std::vector<Choice> choices;
};

/// The name under which the poly-model's predictions stand among those of models.
constexpr const char* poly_name = "poly";

/// The budget of a survey on real machines, in seconds, unless the user gives one.
constexpr double usual_budget = 300;

/// Called with the platform after each step, so that what is known by then can be kept. On all ranks.
using Keep = std::function<void(const Platform& platform)>;

/// Estimates, times and chooses on all ranks of the session, as far as the platform does not know yet, and as far as
/// the budget goes. Collective.
Survey make_survey(Session& session, const Options& options, const Keep& keep);

/// Returns the survey that a platform file holds, without samples. Needs no ranks. Throws Error if it holds no models.
Survey stored_survey(const std::string& file, const Options& options);

}  // namespace tombolo::modelling
