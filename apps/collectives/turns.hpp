#pragma once

#include <functional>
#include <vector>

#include <tombolo/collectives/choose/choose.hpp>
#include <tombolo/collectives/mpi/timing/makespan.hpp>
#include <tombolo/collectives/plan/plan.hpp>
#include <tombolo/session.hpp>

namespace tombolo::timing {

/// What takes turns for one request.
struct Contest {
  /// Of an operation that has a root: that of the request, each repetition the next one, or each repetition all of
  /// them, with an acknowledged barrier after each.
  enum class Roots { one, rotate, turns };

  std::vector<Candidate> plans;
  bool native = true;  ///< MPI's own collective too
  Roots roots = Roots::one;
  /// A plan for the same with another root; empty: in the same settings.
  std::function<Plan(const Request&, const Plan&)> with_root_of = {};
};

/// The same request with every root, where that changes; else by itself.
std::vector<Request> in_turn(const Request& request, Contest::Roots roots);

/// Times MPI's own collective, first, and the plans in turns, on the same buffers; plans as persistent calls.
/// Collective.
std::vector<Timing> time_in_turns(Session& session, const Request& request, const Contest& contest,
                                  const Repeat& repeat);

/// What `choose` finds for a request on rank 0, which alone looks for it, on all ranks. Throws AgreedError for what it
/// throws. Collective.
std::vector<Candidate> chosen_at_rank_0(Session& session, const Request& request,
                                        const std::function<std::vector<Candidate>()>& choose);

}  // namespace tombolo::timing
