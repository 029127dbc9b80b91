#include "timing/turns.hpp"

#include <tombolo/collectives/mpi/planned.hpp>

#include "timing/acknowledge.hpp"
#include "timing/buffers.hpp"

namespace tombolo::timing {

std::vector<Request> in_turn(const Request& request, Contest::Roots roots) {
  const bool rotates = roots != Contest::Roots::one && is_rooted(request.operation);
  std::vector<Request> turns(rotates ? static_cast<std::size_t>(request.ranks) : 1, request);
  for (std::size_t turn = 0; rotates && turn < turns.size(); ++turn) turns[turn].root = static_cast<Rank>(turn);
  return turns;
}

std::vector<Timing> time_in_turns(Session& session, const Request& request, const Contest& contest,
                                  const Repeat& repeat) {
  const std::vector<Request> turns = in_turn(request, contest.roots);
  std::vector<Plan> plans;  // of each candidate, one a turn
  for (const Candidate& candidate : contest.plans) {
    for (const Request& turn : turns) {
      plans.push_back(contest.with_root_of ? contest.with_root_of(turn, candidate.plan)
                                           : Plan(turn, candidate.plan.algorithm(), candidate.plan.parameters()));
    }
  }
  const Buffers buffers(session, turns, plans);
  const bool adds = combines(request.operation);
  const MPI_Datatype type = adds ? MPI_DOUBLE : MPI_BYTE;
  const MPI_Op op = adds ? MPI_SUM : MPI_OP_NULL;
  const auto native = session.make_collectives(Session::Kind::native);
  // Plans are given: no planner is asked.
  const auto planner = std::make_shared<Planner>(Hockney({.latency = 1, .rate = 1}));
  PlannedCollectives planned(session.communicator(), planner, buffers.phantom());
  std::vector<Persistent> prepared;
  for (const Plan& plan : plans) {
    prepared.push_back(planned.persistent(plan, buffers.input(), buffers.output(), type, op));
  }

  std::vector<std::function<void()>> calls;
  const bool all_at_once = contest.roots == Contest::Roots::turns && is_rooted(request.operation);
  const auto add = [&](const std::function<void(std::size_t)>& call_in_turn) {
    calls.emplace_back([&, call_in_turn, turn = std::size_t{0}]() mutable {
      if (!all_at_once) return call_in_turn(turn++ % turns.size());
      for (std::size_t each = 0; each < turns.size(); ++each) {
        call_in_turn(each);
        acknowledge(session.communicator());
      }
    });
  };
  if (contest.native) {
    add([&](std::size_t turn) { native->run(turns[turn], buffers.input(), buffers.output(), type, op); });
  }
  for (std::size_t first = 0; first < prepared.size(); first += turns.size()) {
    add([&, first](std::size_t turn) {
      prepared[first + turn].start();
      prepared[first + turn].wait();
    });
  }
  return alternate(session.communicator(), calls, repeat);
}

}  // namespace tombolo::timing
