#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <unordered_map>
#include <vector>

#include <mpi.h>

#include <tombolo/collectives/choose/planner.hpp>
#include <tombolo/collectives/request/request.hpp>
#include <tombolo/interpose/comparison.hpp>
#include <tombolo/interpose/report.hpp>

namespace tombolo::interpose {

/// Requests that share decisions: of one size class, or with counts that not all ranks know. Of all communicators with
/// the same ranks, so that one that is made for a few calls is planned at once; of one if there are threads.
struct RequestClass {
  std::int64_t calls = 0;
  std::optional<bool> recalled{};          ///< whether an earlier run kept its plan
  std::optional<Picoseconds> bound{};      ///< no call takes less
  std::optional<Comparison> comparison{};  ///< from the first call on that is worth a plan
  bool found = false;                      ///< the plan, by all ranks
  /// Of an alltoallv with counts as MPI gives them: elements of a pair in the calls before its plan, the mean of the
  /// busiest rank; the plan for that size, which does for any counts; that for the counts of the last call.
  std::int64_t pair_elements = 0;
  std::optional<Plan> equal_pairs{};
  std::shared_ptr<const PreparedPlan> last_pairs{};
};

struct SharedDecisions;

/// What the ranks of one of the user's communicators decide about its blocking calls. All decisions follow from these
/// calls, which all its ranks make in the same order, and from what all ranks know: so all ranks decide alike.
class Decisions {
 public:
  Decisions(MPI_Comm user, Rank rank, std::vector<Rank> world_ranks);

  const std::vector<Rank>& world_ranks() const { return world_ranks_; }
  /// Notes a call, of any class. To be called before the others.
  void note_call();
  /// Returns the class that a request stands for; null for blocks that are not equal where there were many other such
  /// ones: counts that change with every call would fill the memory.
  std::shared_ptr<RequestClass> class_of(const Request& request);
  /// Decides about a call that sends or receives `own` bytes on this rank; none: it is planned.
  Reason decide(RequestClass& one, const Request& request, Bytes own);
  /// Returns the plan of a call that is planned. Collective over the communicator.
  std::shared_ptr<const PreparedPlan> plan_for(RequestClass& one, const Request& request);
  /// Lets the ranks compare native and planned calls after the last call of a round.
  void compare(RequestClass& one) const;
  /// Returns a number that no other communicator with the same or with other ranks has, for the tags of its messages.
  /// Before its first planned call.
  std::uint64_t number_for_tags();

 private:
  bool worth_planning(RequestClass& one, const Request& request);
  bool takes_long(RequestClass& one, const Request& request);
  Picoseconds bound(RequestClass& one, const Request& request);  // requires the lock Library::planning()
  void find_plan(const Request& like);
  Plan best_for_pairs(const Request& request, const Request& equal);
  std::shared_ptr<const PreparedPlan> plan_for_pairs(RequestClass& one, const Request& request);
  Planner& planner();

  MPI_Comm user_;
  Rank rank_;
  std::vector<Rank> world_ranks_;
  std::int64_t calls_ = 0;  // of all classes
  std::shared_ptr<Planner> planner_{};
  std::shared_ptr<SharedDecisions> shared_{};  // from the first blocking call on
};

}  // namespace tombolo::interpose
