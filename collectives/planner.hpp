#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include <tombolo/collectives/choose.hpp>
#include <tombolo/collectives/request_hash.hpp>
#include <tombolo/collectives/scheduled.hpp>
#include <tombolo/models/hockney.hpp>
#include <tombolo/platform/platform.hpp>

namespace tombolo {

/// Chooses the plans for the ranks of one communicator and remembers what it chose. Pure: every rank may have one of
/// its own, and all choose alike, or all may share one where they share memory. Not for several threads at a time.
class Planner {
 public:
  /// For all ranks of a platform, with the models that are believed there (trusted_models.hpp), or with the one of that
  /// name for everything. Throws Error for sections of the platform that are not right, and for a model that has not
  /// been estimated.
  explicit Planner(Platform platform, const std::string& model = {});
  /// For ranks whose links are all alike.
  explicit Planner(Hockney model);

  /// The plan for a request, as choose() finds it.
  Plan plan(const Request& request);
  /// It and its rivals, or all settings of one algorithm that are worth trying (choose.hpp); not remembered.
  std::vector<Candidate> candidates(const Request& request) const {
    return tombolo::candidates(request, model_for_, terrain_);
  }
  std::vector<Candidate> candidates_of(const Algorithm& algorithm, const Request& request) const {
    return tombolo::candidates_of(algorithm, request, model_for(request, algorithm), terrain_);
  }
  /// Those of which schedule and segments are stated (scheduled.hpp).
  std::vector<Candidate> candidates_of(const Algorithm& algorithm, const Request& request,
                                       const StatedSchedule& schedule, std::span<const Bytes> segments) const {
    return scheduled(schedule, algorithm, request, model_for(request, algorithm), terrain_, segments);
  }
  const Model& model_for(const Request& request, const Algorithm& algorithm) const {
    return model_for_(request, algorithm);
  }
  /// What no plan can be faster than (bound.hpp).
  Picoseconds bound(const Request& request) const { return bound_(request); }
  /// One line: what predicts where nothing else is believed.
  const std::string& describe() const { return description_; }

 private:
  struct Choice {
    std::size_t algorithm = 0;  // among those for the request
    Parameters parameters;
  };
  std::shared_ptr<const void> owner_;  // of the models
  ModelFor model_for_;
  Terrain terrain_;
  std::function<Picoseconds(const Request&)> bound_;
  std::string description_;
  std::unordered_map<Request, Choice, RequestHash> choices_;
};

}  // namespace tombolo
