#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <utility>
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

/// Predicted times of a run on some clusters only.
struct OnClusters {
  std::string name;                                      ///< "1 cluster: sdsc", "2 clusters"
  std::vector<std::pair<std::int64_t, double>> seconds;  ///< by size
};

/// On the cluster of the root, or the one with the largest speed; on that and the next one; and so on, but not on all:
/// on 1, 2, 4, 8, ... of them if there are more than a few.
std::vector<OnClusters> on_fewer_clusters(const Session& imagined, const Predictor& predictor,
                                          const std::vector<std::int64_t>& sizes);

/// How many clusters take part at each of these sizes, and at all larger ones, at least.
std::vector<int> least_clusters(const std::vector<Sized>& known);

/// Between the sizes of `known`, ascending, finds those from which on more clusters take part, also at all larger ones
/// of `known`: to two digits, by bisection, for which `predict` is called for sizes between. A step that lies below the
/// first size is not among them.
std::vector<Step> find_steps(const std::vector<Sized>& known, const std::function<Sized(std::int64_t)>& predict);

}  // namespace tombolo::predicting
