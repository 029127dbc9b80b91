#pragma once

#include <functional>
#include <vector>

#include <tombolo/collectives/calibrate/stored_thresholds.hpp>
#include <tombolo/collectives/mapping/cluster_links.hpp>
#include <tombolo/collectives/mapping/hierarchy.hpp>
#include <tombolo/collectives/mapping/variants.hpp>
#include <tombolo/collectives/plan/plan.hpp>
#include <tombolo/collectives/predict/pipeline_time.hpp>
#include <tombolo/models/model.hpp>

namespace tombolo {

class AlltoallContention;

/// A plan and its predicted time.
struct Candidate {
  Plan plan;
  Picoseconds predicted = 0;
};

/// Predictions that differ by no more than so many percent count as equal.
constexpr Picoseconds alike_percent = 1;
/// Returns the longest time that counts as equal to this one.
constexpr Picoseconds alike_to(Picoseconds time) {
  return plus(time, time / (100 / alike_percent));
}

/// Optional knowledge of a platform besides its models. Must outlive every user.
struct PlatformKnowledge {
  const Thresholds* thresholds = nullptr;                   ///< gather outliers
  const Hierarchy* hierarchy = nullptr;                     ///< without a hierarchy there are no mapped trees
  const ClusterLinks* links = nullptr;                      ///< what trees share out and detours lead over
  const AlltoallContention* alltoall_contention = nullptr;  ///< contention of direct alltoalls
  bool detours = false;                                     ///< messages may take ways over other clusters
  bool same_bits = false;  ///< an allreduce gives all ranks the same result, whatever is rounded
  /// The host of each rank, by number; empty where no host has several ranks, or one has all.
  std::vector<int> hosts = {};
  /// The model believed for a request among the ranks of one cluster; empty: that of all ranks.
  std::function<const Model&(const Request&, const std::vector<Rank>&)> model_within = {};
};

/// Returns all candidate plans of a request: each algorithm but baselines with a few parameters, the best algorithms
/// with more. The first is the choice among plans within 1 % of the best prediction: where hosts have several ranks,
/// one with the fewest messages between hosts, else one that sends the fewest elements in the fewest messages; of these
/// the first algorithm in algorithms.def, which lists simpler algorithms first, with the fewest segments; the same one
/// paced if it would flood a port (floods_a_port()). Messages take time of processors and cards that no model counts
/// and that ranks of a host share: there segments count as a 32nd slower than predicted. The others follow, fastest
/// first. All ranks that know the same counts get the same list.
///
/// With counts as in MPI (Knowledge::as_in_mpi), ranks share none of them, and no time can be predicted: the list is
/// one plan at time 0, chosen from what all ranks know. An alltoallv uses direct messages. So does a gatherv or
/// scatterv, unless an algorithm that learns the counts first is at least twice as fast for equal small blocks,
/// learning included; that one is then used for blocks up to the largest size of which this is true
/// (Parameters::direct_above).
///
/// Models do not include gather outliers. Where the thresholds predict outliers of a flat gather for the block sizes,
/// their mean delay is added to its prediction, and throttled gathers become candidates. Likewise the time of
/// contention is added to direct alltoalls, in proportion to the messages that a rank has in flight; direct alltoalls
/// too large to simulate are predicted in closed form.
std::vector<Candidate> candidates(const Request& request, const ModelFor& model_for,
                                  const PlatformKnowledge& knowledge = {});

/// Throws Error if the first candidate exceeds the range of times: then candidates cannot be compared.
void check_within_time(const std::vector<Candidate>& candidates);

/// Returns every setting of one algorithm that is worth trying, for a search ahead of time; empty for a throttling
/// algorithm without gather outliers, or a mapped one without a hierarchy. Ranks must know all counts.
std::vector<Candidate> candidates_of(const Algorithm& algorithm, const Request& request, const Model& model,
                                     const PlatformKnowledge& knowledge = {});

/// Returns the first of candidates(). Stops predicting plans that cannot win: a few times as fast.
Candidate choose(const Request& request, const ModelFor& model_for, const PlatformKnowledge& knowledge = {});

}  // namespace tombolo
