#pragma once

#include <vector>

#include <tombolo/collectives/plan.hpp>
#include <tombolo/models/model.hpp>

namespace tombolo {

/// A plan and the time predicted for it.
struct Candidate {
  Plan plan;
  Picoseconds predicted = 0;
};

/// Every plan that is in the race for a request (each algorithm, each segment size worth trying), the one that is
/// predicted to be fastest first; among equals, in the order of algorithms.def. All ranks that know the same counts get
/// the same list. Where a rank does not know all counts (Knowledge::as_in_mpi), it cannot predict; only the first
/// algorithm without a learning stage is listed then, at 0.
std::vector<Candidate> candidates(const Request& request, const Model& model);

/// The first of them.
Plan choose(const Request& request, const Model& model);

}  // namespace tombolo
