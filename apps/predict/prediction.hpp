#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include <tombolo/counts.hpp>
#include <tombolo/platform/json/json.hpp>
#include <tombolo/session.hpp>
#include <tombolo/shares.hpp>

#include "matmul/options.hpp"
#include "transpose/options.hpp"

namespace tombolo::predicting {

/// The prediction of one run.
struct Prediction {
  std::string what;        ///< "C = A x B: A 4000 x 4000, ..."
  std::string in_general;  ///< the same of any size: "C = A x B, float64, held by rank 0"
  Json shape;
  std::string way;          ///< "rows", "columns on all 78 ranks, 4 panels"
  std::string shared;       ///< what each rank has of the matrix that is shared out: "rows", "elements"
  Blocks shares;            ///< so many
  RunReport run;            ///< its phases, and what each member does by itself
  double memory = 0;        ///< bytes of matrices on the rank that holds the most
  double full_speed_s = 0;  ///< of work alone, if all ranks were busy all the time; 0: nothing is to be worked on
  std::string speeds = {};  ///< where those of the ranks came from
  Json compared = Json::array();
  std::string chosen = {};     ///< a line on the ways that were compared; empty: there was one only
  std::string explained = {};  ///< each of them

  double predicted_s() const { return run.predicted_s; }
  double bound_s() const;
  /// Seconds that the busiest rank works by itself; the rest of the time data travels and nobody works beside.
  double working_s() const;
};

/// Predicts runs by size, of the tombolo command `name`.
struct Predictor {
  const char* name;
  std::optional<Rank> root;  ///< that must take part
  bool chooses;              ///< ranks are left out where that is faster
  /// Throws Error.
  std::function<Prediction(Session& imagined, std::int64_t size, Rank root)> predict;
};

/// Returns the predictor of `tombolo matmul`, or of `tombolo transpose` with all of A in memory, with these options. It
/// takes a size, which may be 0 if the options state all dimensions.
Predictor predictor(const matmul::Options& options);
Predictor predictor(const transposition::Options& options);

/// A logical cluster, as far as it takes part in a run.
struct ClusterUse {
  std::string name;
  int ranks = 0;
  int used = 0;             ///< ranks with a share
  std::int64_t shares = 0;  ///< of all its ranks
  double working_s = 0;     ///< of its busiest rank
};

/// All clusters of a platform, those with the largest shares first.
std::vector<ClusterUse> cluster_uses(const Platform& platform, const Prediction& prediction);

/// How many of them take part.
int clusters_used(const std::vector<ClusterUse>& uses);

}  // namespace tombolo::predicting
