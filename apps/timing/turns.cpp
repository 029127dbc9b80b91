#include "timing/turns.hpp"

#include <functional>

#include <tombolo/collectives/mpi/call.hpp>
#include <tombolo/collectives/mpi/planned.hpp>

#include "timing/buffers.hpp"

namespace tombolo::timing {

namespace {

// The same request with every root, where that rotates; else by itself.
std::vector<Request> in_turn(const Request& request, bool rotates) {
  rotates = rotates && is_rooted(request.operation);
  std::vector<Request> turns(rotates ? static_cast<std::size_t>(request.ranks) : 1, request);
  for (std::size_t turn = 0; rotates && turn < turns.size(); ++turn) turns[turn].root = static_cast<Rank>(turn);
  return turns;
}

}  // namespace

std::vector<Timing> time_in_turns(Session& session, const Request& request, const Contest& contest,
                                  const Repeat& repeat) {
  const std::vector<Request> turns = in_turn(request, contest.rotates);
  std::vector<Plan> plans;  // of each candidate, one a turn
  for (const Candidate& candidate : contest.plans) {
    for (const Request& turn : turns) plans.emplace_back(turn, candidate.plan.algorithm(), candidate.plan.parameters());
  }
  const Buffers buffers(session, turns, plans);
  const bool adds = combines(request.operation);
  const MPI_Datatype type = adds ? MPI_DOUBLE : MPI_BYTE;
  const MPI_Op op = adds ? MPI_SUM : MPI_OP_NULL;
  const auto native = session.collectives(Session::Kind::native);
  // Plans are given: no planner is asked.
  const auto planner = std::make_shared<Planner>(Hockney({.latency = 1, .rate = 1}));
  PlannedCollectives planned(session.communicator(), planner, buffers.scratch());
  std::vector<Persistent> prepared;
  for (const Plan& plan : plans) {
    prepared.push_back(planned.persistent(plan, buffers.input(), buffers.output(), type, op));
  }

  std::vector<std::function<void()>> calls;
  if (contest.native) {
    calls.emplace_back([&, turn = std::size_t{0}]() mutable {
      call(*native, turns[turn++ % turns.size()], buffers.input(), buffers.output(), type, op);
    });
  }
  for (std::size_t first = 0; first < prepared.size(); first += turns.size()) {
    calls.emplace_back([&, first, turn = std::size_t{0}]() mutable {
      Persistent& next = prepared[first + turn++ % turns.size()];
      next.start();
      next.wait();
    });
  }
  return alternate(session.communicator(), calls, repeat);
}

}  // namespace tombolo::timing
