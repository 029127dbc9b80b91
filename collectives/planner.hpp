#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include <tombolo/collectives/carrier.hpp>
#include <tombolo/collectives/choose.hpp>
#include <tombolo/collectives/request_hash.hpp>
#include <tombolo/collectives/scheduled.hpp>
#include <tombolo/collectives/tuning.hpp>
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

  /// A planner for some of these ranks, any of them in any order: rank r of its requests is members[r]. It knows what
  /// this one knows, without another look at the platform: its models as the members see them, believed as among these
  /// (trusted_models.hpp), who of them is near whom, thresholds where there are any of their scope, bounds on what they
  /// can do by themselves. For all ranks in order it is as this one. The same members get the same planner, so what it
  /// remembers serves all their communicators, until 64 others have been asked for. Throws Error for a rank that there
  /// is not, or that stands twice. Needs no other rank.
  std::shared_ptr<Planner> on(const std::vector<Rank>& members);

  /// From now on plans as was tuned where a decision is about the request. The tuning is one for these ranks.
  void use(Tuning tuning);
  /// The decision about a request; null where there is none.
  const Decision* decision(const Request& request) const { return tuning_ ? tuning_->find(request) : nullptr; }

  /// Who does better to carry out a blocking call: whom the tuning says. Where it says nothing, MPI's own collective if
  /// all ranks are on one host, as it may do there what no plan of messages can and no model knows of; else the plan.
  Carrier carrier(const Request& request) const;

  /// The plan for a request, as was tuned, else as choose() finds it.
  Plan plan(const Request& request);
  /// As choose() finds it, whatever was tuned, with its time; not remembered.
  Candidate choice(const Request& request) const { return choose(request, model_for_, terrain_); }
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
  struct Whole;
  struct Part;
  explicit Planner(std::shared_ptr<const Part> part);

  std::shared_ptr<const Part> part_;   // of a platform; null where links are all alike
  std::shared_ptr<const void> owner_;  // of the models
  ModelFor model_for_;
  Terrain terrain_;
  std::function<Picoseconds(const Request&)> bound_;
  std::string description_;
  std::optional<Tuning> tuning_;
  std::unordered_map<Request, Choice, RequestHash> choices_;
  std::map<std::vector<Rank>, std::shared_ptr<Planner>> on_;  // by members
};

}  // namespace tombolo
