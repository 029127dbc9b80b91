#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include <tombolo/collectives/choose/choose.hpp>
#include <tombolo/collectives/choose/kept_plans.hpp>
#include <tombolo/collectives/choose/scheduled.hpp>
#include <tombolo/collectives/choose/tuning.hpp>
#include <tombolo/collectives/plan/prepared.hpp>
#include <tombolo/collectives/request/request.hpp>
#include <tombolo/models/kinds/hockney/hockney.hpp>
#include <tombolo/platform.hpp>

namespace tombolo {

/// Decides how the calls of the ranks of one communicator are carried out: by a plan, and which, or by MPI's own
/// collective. Without communication: every rank may hold its own planner, and all decide alike, or ranks of one
/// address space may share one. Not thread-safe.
///
/// Holds the only cache of plans: of each request (RequestHash) the decision, which all ranks share, and the plan
/// prepared from it on each rank. The cache is emptied as a whole, by use() and when it is full.
class Planner {
 public:
  /// A planner for all ranks of a platform, with the trusted models (trusted_models.hpp), or with the named model for
  /// every request. Throws Error for invalid sections of the platform and for a model without estimates.
  explicit Planner(Platform platform, const std::string& model = {});
  /// A planner for ranks with equal links.
  explicit Planner(Hockney model);

  /// Returns a planner for a subset of the ranks, in any order: rank r of its requests is members[r]. Derives the
  /// knowledge of members from this planner: models and their trust (trusted_models.hpp), hierarchy, thresholds of
  /// their scope, lower bounds. All ranks in order get an equal planner, tuning included. Equal members get the same
  /// planner and share its cache; after 64 others the planners are dropped. Throws Error for an unknown or repeated
  /// member. Local: needs no other rank.
  std::shared_ptr<Planner> on(const std::vector<Rank>& members);

  /// Uses the decisions of a tuning from now on; empties the cache. The tuning must be one for these ranks.
  void use(Tuning tuning);
  /// Uses the plans of earlier runs where there is no tuning, keeps those that are chosen from now on, and empties the
  /// cache. A kept plan that took longer than predicted gives way to a better one, where earlier runs and the models
  /// know one (KeptPlan::better_of()). The plans must be the same on all ranks, and of this platform.
  void use(std::shared_ptr<KeptPlans> plans);
  /// Chooses plans without detours from now on, and empties the cache. Tuned and kept plans may have detours all the
  /// same.
  void avoid_detours();
  /// Lets requests of a size class share a plan: that of size_class(), made for the size at hand. For programs whose
  /// sizes change with every call.
  void share_within_classes() { by_class_ = true; }
  /// Leaves out allreduces whose results differ between ranks by rounding. Programs that decide by a sum need the same
  /// on all ranks, and native libraries give them that.
  void give_same_bits() { knowledge_.same_bits = true; }
  /// Returns true if a tuning or an earlier run decided about the request, or about its size class if plans are shared:
  /// then its plan takes microseconds. Does not change during a run, so that all ranks answer alike at any time.
  bool recalls(const Request& request) const;
  /// Returns the decision about a request, null if there is none.
  const Decision* decision(const Request& request) const { return tuning_ ? tuning_->find(request) : nullptr; }

  /// The backend of a blocking call; non-blocking and persistent calls always use plans. A tuning entry wins; else
  /// MPI's own collective if all ranks are on one host, since it may use shared memory, which neither plans of messages
  /// nor models cover; else the plan.
  Backend backend(const Request& request) const;

  /// Returns the plan of a request: from the tuning, else a kept one, else from choose(). Cached. A plan made of trees
  /// or groups for this platform is proved (prove.hpp) when it is first chosen, by every rank alike, if all ranks
  /// together have few enough steps; algorithms as such are proved by the tests. Throws Error for a plan that is wrong.
  Plan plan(const Request& request);
  /// Returns a plan() as text, perhaps with other parameters, by which use_plan_text() spares other processes the
  /// search: ranks may share the cores of a machine, and the slowest of all would be waited for.
  std::string plan_text(const Plan& plan);
  /// Uses the plan of a plan_text() of one of the ranks for these requests, in place of what was decided before. All
  /// ranks have to use it.
  void use_plan_text(const std::vector<Request>& requests, const std::string& text);
  /// Says how a request is carried out, Plan::how(), whether that was proved, and what earlier runs had to do with it.
  std::string describe_plan(const Request& request);
  /// Returns the plan of a request, prepared on `rank`. Cached.
  std::shared_ptr<const PreparedPlan> prepared(const Request& request, Rank rank);
  /// Returns the prepared plan of a blocking call; null if the backend is MPI's own collective. Cached.
  std::shared_ptr<const PreparedPlan> blocking(const Request& request, Rank rank);
  /// Returns the plan of choose() and its time, regardless of the tuning; not cached.
  Candidate choice(const Request& request) const { return choose(request, model_for_, knowledge_); }
  /// Returns all candidates of a request, or all settings of one algorithm that are worth trying (choose.hpp); not
  /// cached.
  std::vector<Candidate> candidates(const Request& request) const {
    return tombolo::candidates(request, model_for_, knowledge_);
  }
  std::vector<Candidate> candidates_of(const Algorithm& algorithm, const Request& request) const {
    return tombolo::candidates_of(algorithm, request, model_for(request, algorithm), knowledge_);
  }
  /// Returns the candidates of a stated schedule and stated segment sizes (scheduled.hpp).
  std::vector<Candidate> candidates_of(const Algorithm& algorithm, const Request& request,
                                       const StatedSchedule& schedule, std::span<const Bytes> segments) const {
    return scheduled(schedule, algorithm, request, model_for(request, algorithm), knowledge_, segments);
  }
  const Model& model_for(const Request& request, const Algorithm& algorithm) const {
    return model_for_(request, algorithm);
  }
  /// Returns a lower bound on the time of every plan (lower_bound.hpp).
  Picoseconds bound(const Request& request) const { return bound_(request); }
  /// Describes the default model, in one line.
  const std::string& describe() const { return description_; }

 private:
  enum class Proof { not_needed, holds, too_long };
  static Proof proof_of(const Plan& plan);
  enum class Origin { chosen, kept, preferred };  // preferred: by the experience of earlier runs
  struct Kept {
    struct Prepared {
      Rank rank;
      bool in_place;
      std::shared_ptr<const PreparedPlan> plan;
    };
    Backend backend = Backend::plan;
    // Index among the algorithms for the request; empty until asked for, and where only some ranks know the request.
    std::optional<std::size_t> algorithm{};
    Parameters parameters{};
    Proof proof = Proof::not_needed;
    Origin origin = Origin::chosen;
    std::vector<Prepared> prepared{};  // on one rank, or on several of one address space
  };
  Kept& kept(const Request& request);
  Request sharer(const Request& common) const;
  bool serves(const Plan& plan) const { return !(knowledge_.same_bits && plan.algorithm().ranks_differ); }
  bool share(const Request& common, const std::vector<const Algorithm*>& algorithms);
  static void set(Kept& decided, const Plan& plan);
  Plan recall_or_choose(const Request& request, Kept& decided);
  std::shared_ptr<const PreparedPlan> prepared(const Request& request, Rank rank, const Kept& kept);
  struct Whole;
  struct Part;
  explicit Planner(std::shared_ptr<const Part> part);

  std::shared_ptr<const Part> part_;   // of a platform; null for equal links
  std::shared_ptr<const void> owner_;  // owns the models
  ModelFor model_for_;
  PlatformKnowledge knowledge_;
  std::function<Picoseconds(const Request&)> bound_;
  std::string description_;
  bool avoids_detours_ = false;
  std::optional<Tuning> tuning_;
  std::shared_ptr<KeptPlans> plans_;  // of this and earlier runs; null without
  bool by_class_ = false;
  std::unordered_map<Request, Kept, RequestHash, SameRequest> kept_;
  std::map<std::vector<Rank>, std::shared_ptr<Planner>> on_;  // by members
};

}  // namespace tombolo
