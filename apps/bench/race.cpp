#include "bench/race.hpp"

#include <algorithm>
#include <functional>

#include <tombolo/collectives/bound.hpp>
#include <tombolo/collectives/mpi/call.hpp>
#include <tombolo/collectives/mpi/planned.hpp>
#include <tombolo/collectives/regular.hpp>
#include <tombolo/platform/mpi/check.hpp>

#include "bench/buffers.hpp"
#include "bench/check.hpp"
#include "bench/contestants.hpp"

namespace tombolo::benchmarking {

namespace {

bool wants(const Options& options, const char* implementation) {
  return std::find(options.implementations.begin(), options.implementations.end(), implementation) !=
         options.implementations.end();
}

// The same request with every root, where that rotates; else by itself.
std::vector<Request> in_turn(const Request& request, const Options& options) {
  const bool rotates = options.root == "rotate" && is_rooted(request.operation);
  std::vector<Request> turns(rotates ? static_cast<std::size_t>(request.ranks) : 1, request);
  for (std::size_t turn = 0; rotates && turn < turns.size(); ++turn) turns[turn].root = static_cast<Rank>(turn);
  return turns;
}

}  // namespace

std::vector<Figure> Race::run(const Cell& cell) {
  // Numbers where they are combined, bytes where they are not.
  const Bytes element = combines(cell.operation) ? sizeof(double) : 1;
  const Request request = regular_request(cell.operation, session_.ranks(), cell.root, cell.bytes, element);
  std::vector<Candidate> candidates;
  if (wants(options_, "tombolo")) candidates = contestants(session_, request, options_, planner_);
  std::vector<Figure> figures;
  if (wants(options_, "native")) {
    Figure& native = figures.emplace_back(figure(cell, request));
    native.native = true;
    native.algorithm = native.how = "native";
  }
  for (const Candidate& candidate : candidates) {
    Figure& planned = figures.emplace_back(figure(cell, request));
    planned.algorithm = candidate.plan.algorithm().name;
    planned.how = candidate.plan.how();
    planned.parameters = candidate.plan.parameters();
    planned.predicted = candidate.predicted;
  }
  if (options_.check) check(candidates, figures);
  if (options_.most > 0) time(request, candidates, figures);
  return figures;
}

Figure Race::figure(const Cell& cell, const Request& request) const {
  Figure figure;
  figure.operation = cell.operation;
  figure.ranks = session_.ranks();
  figure.root = cell.root;
  figure.bytes = cell.bytes;
  figure.bound = lower_bound(request, session_.platform());
  return figure;
}

void Race::check(const std::vector<Candidate>& candidates, std::vector<Figure>& figures) {
  const auto native = session_.collectives(Session::Kind::native);
  PlannedCollectives planned(session_.communicator(), session_.planner());
  const std::size_t first = figures.size() - candidates.size();
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    int good = same_as_native(*native, planned, candidates[i].plan) ? 1 : 0;
    check_mpi(MPI_Allreduce(MPI_IN_PLACE, &good, 1, MPI_INT, MPI_MIN, session_.communicator()), "MPI_Allreduce");
    figures[first + i].right = good != 0;
  }
}

void Race::time(const Request& request, const std::vector<Candidate>& candidates, std::vector<Figure>& figures) {
  const std::vector<Request> turns = in_turn(request, options_);
  std::vector<Plan> plans;  // of each candidate, one a turn
  for (const Candidate& candidate : candidates) {
    for (const Request& turn : turns) plans.emplace_back(turn, candidate.plan.algorithm(), candidate.plan.parameters());
  }
  const Buffers buffers(session_, turns, plans);
  const bool adds = combines(request.operation);
  const MPI_Datatype type = adds ? MPI_DOUBLE : MPI_BYTE;
  const MPI_Op op = adds ? MPI_SUM : MPI_OP_NULL;
  const auto native = session_.collectives(Session::Kind::native);
  PlannedCollectives planned(session_.communicator(), session_.planner(), buffers.scratch());
  std::vector<Persistent> prepared;
  for (const Plan& plan : plans) {
    prepared.push_back(planned.persistent(plan, buffers.input(), buffers.output(), type, op));
  }

  std::vector<std::function<void()>> calls;
  if (wants(options_, "native")) {
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
  const Repeat repeat{.least = options_.least, .most = options_.most, .precision = options_.precision};
  const std::vector<Timing> timings = alternate(session_.communicator(), calls, repeat);
  for (std::size_t i = 0; i < figures.size(); ++i) figures[i].timing = timings[i];
}

}  // namespace tombolo::benchmarking
