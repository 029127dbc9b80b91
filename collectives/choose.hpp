#pragma once

#include <functional>
#include <vector>

#include <tombolo/collectives/mapping/landscape.hpp>
#include <tombolo/collectives/pipeline_time.hpp>
#include <tombolo/collectives/plan.hpp>
#include <tombolo/collectives/stored_thresholds.hpp>
#include <tombolo/collectives/variants.hpp>
#include <tombolo/models/model.hpp>

namespace tombolo {

class Crowding;

/// A plan and the time predicted for it.
struct Candidate {
  Plan plan;
  Picoseconds predicted = 0;
};

/// What is known of a platform beside its models; nothing of it need be. It must outlive what it is given to.
struct Terrain {
  const Thresholds* thresholds = nullptr;  ///< of gathers that escalate
  const Landscape* landscape = nullptr;    ///< who is near whom; without it no trees are made for the platform
  const Crowding* crowding = nullptr;      ///< of direct total exchanges
};

/// Which model predicts the plans of an algorithm for a request.
using ModelFor = std::function<const Model&(const Request&, const Algorithm&)>;

/// Every plan that is in the race for a request (each algorithm but baselines in a few settings, those that do best in
/// more, see exploration.hpp). First the one to take: of those within 1 % of the best prediction the one whose
/// algorithm stands first in algorithms.def, where simpler ones do, in as few segments as that allows; then the others,
/// the fastest first. All ranks that know the same counts get the same list. Where a rank does not know all counts
/// (Knowledge::as_in_mpi), it cannot predict; only the first algorithm without a learning stage is listed then, at 0.
///
/// Models know nothing of escalations. Where the thresholds say that a flat gather escalates with such blocks, what
/// that takes on average is added to its prediction, and a throttled one is in the race. In the same way what
/// contention adds is added to direct total exchanges, in proportion to what a rank has under way; those that are too
/// large to simulate are predicted by their closed form.
std::vector<Candidate> candidates(const Request& request, const ModelFor& model_for, const Terrain& terrain = {});
std::vector<Candidate> candidates(const Request& request, const Model& model, const Terrain& terrain = {});

/// Every setting of one algorithm that is worth trying, for a search ahead of time; none of one that throttles where
/// nothing escalates, or of one that is mapped where no landscape is known. Ranks must know all counts.
std::vector<Candidate> candidates_of(const Algorithm& algorithm, const Request& request, const Model& model,
                                     const Terrain& terrain = {});

/// The first of them, found without another thought of those that fall behind: a few times as fast.
Candidate choose(const Request& request, const ModelFor& model_for, const Terrain& terrain = {});
Plan choose(const Request& request, const Model& model, const Terrain& terrain = {});

}  // namespace tombolo
