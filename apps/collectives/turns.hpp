#pragma once

#include <functional>
#include <vector>

#include <tombolo/collectives/choose/choose.hpp>
#include <tombolo/collectives/mpi/timing/makespan.hpp>
#include <tombolo/collectives/plan/plan.hpp>
#include <tombolo/session.hpp>

namespace tombolo::timing {

/// The calls that take turns for one request.
struct Contest {
  /// The root of an operation that has one: the request's, the next rank in each repetition, or all ranks in each
  /// repetition, with an acknowledged barrier after each.
  enum class Roots { one, rotate, turns };

  std::vector<Candidate> plans;
  bool native = true;  ///< MPI's own collective too
  Roots roots = Roots::one;
  /// A plan for the same with another root; empty: in the same settings.
  std::function<Plan(const Request&, const Plan&)> with_root_of = {};
};

/// Returns the requests of one repetition: with every root if these take turns, else the request alone.
std::vector<Request> in_turn(const Request& request, Contest::Roots roots);

/// Times MPI's own collective, first, and the plans in turns, on the same buffers; plans as persistent calls.
/// Collective.
std::vector<Timing> time_in_turns(Session& session, const Request& request, const Contest& contest,
                                  const Repeat& repeat);

/// Returns on all ranks the candidates that `choose` finds on rank 0, where alone it is called. Throws AgreedError if
/// `choose` throws. Collective.
std::vector<Candidate> chosen_at_rank_0(Session& session, const Request& request,
                                        const std::function<std::vector<Candidate>()>& choose);

}  // namespace tombolo::timing
