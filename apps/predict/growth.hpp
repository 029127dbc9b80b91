#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "predict/prediction.hpp"

namespace tombolo::predicting {

/// From which size on a run is predicted to be the fastest on so many clusters.
struct Step {
  int clusters = 0;
  std::int64_t size = 0;
  std::vector<std::string> names;  ///< of the clusters, that with the largest share first
};

/// Predictions of one platform at one size.
struct Sized {
  std::int64_t size = 0;
  Prediction prediction;
  std::vector<ClusterUse> uses;
};

/// Between the sizes of `known`, ascending, finds those from which on more clusters take part, to two digits, by
/// bisection: `predict` is called for sizes between. A step that lies below the first size is not among them.
std::vector<Step> find_steps(const std::vector<Sized>& known, const std::function<Sized(std::int64_t)>& predict);

}  // namespace tombolo::predicting
