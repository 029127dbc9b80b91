#pragma once

#include <cstddef>
#include <memory>
#include <unordered_map>

#include <tombolo/collectives/carrier.hpp>
#include <tombolo/collectives/mpi/prepared.hpp>
#include <tombolo/collectives/planner.hpp>
#include <tombolo/collectives/request_hash.hpp>

namespace tombolo {

/// What was found for requests that were made before: the plan, prepared on this rank, and who carries them out.
class KeptPlans {
 public:
  struct Kept {
    Carrier carrier = Carrier::plan;
    std::shared_ptr<const PreparedPlan> plan;  ///< null until it is asked for
  };

  KeptPlans(std::shared_ptr<Planner> planner, Rank rank);

  const std::shared_ptr<Planner>& planner() const { return planner_; }
  /// Good until the next call. Takes constant time where the blocks are equal.
  Kept& find(const Request& request);
  /// The same with its plan.
  const std::shared_ptr<const PreparedPlan>& plan(const Request& request, Kept& kept);

  void decide(const Request& request, Carrier carrier);
  /// As was decided here, else as the planner says.
  Carrier carrier(const Request& request) const;

 private:
  std::shared_ptr<Planner> planner_;
  Rank rank_;
  std::unordered_map<Request, Kept, RequestHash> kept_;
  std::unordered_map<Request, Carrier, RequestHash> decisions_;  // by what all ranks know of the request
};

}  // namespace tombolo
