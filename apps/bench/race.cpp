#include "bench/race.hpp"

#include <algorithm>
#include <functional>

#include <tombolo/collectives/bound.hpp>
#include <tombolo/collectives/mpi/call.hpp>
#include <tombolo/collectives/mpi/planned.hpp>
#include <tombolo/collectives/regular.hpp>
#include <tombolo/platform/mpi/check.hpp>

#include "bench/acknowledge.hpp"
#include "bench/buffers.hpp"
#include "bench/check.hpp"
#include "bench/contestants.hpp"

namespace tombolo::benchmarking {

namespace {

bool wants(const Options& options, const char* implementation) {
  return std::find(options.implementations.begin(), options.implementations.end(), implementation) !=
         options.implementations.end();
}

// Whether one time is that of all roots in turn.
bool takes_turns(const Request& request, const Options& options) {
  return options.root == "turns" && is_rooted(request.operation);
}

// The same request with every root, where that changes; else by itself.
std::vector<Request> in_turn(const Request& request, const Options& options) {
  const bool rotates = (options.root == "rotate" || options.root == "turns") && is_rooted(request.operation);
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
    if (!takes_turns(request, options_)) planned.predicted = candidate.predicted;
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
  if (!takes_turns(request, options_)) {
    figure.bound = lower_bound(request, session_.platform());
  } else {
    for (const Request& turn : in_turn(request, options_)) figure.bound += lower_bound(turn, session_.platform());
  }
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

// Trees and places are for one root, so they are made anew for another; whatever else was chosen holds for all. What is
// best is chosen for each root where each counts alike.
Plan Race::with_root_of(const Request& turn, const Plan& plan) {
  const Parameters& parameters = plan.parameters();
  if (turn == plan.request()) return plan;
  const bool anew = takes_turns(turn, options_) && options_.algorithm == "best";
  if (!anew && parameters.trees.empty() && parameters.order.empty()) return {turn, plan.algorithm(), parameters};
  Options same = options_;
  if (same.algorithm == "all") same.algorithm = plan.algorithm().name;
  return contestants(session_, turn, same, planner_).front().plan;
}

void Race::time(const Request& request, const std::vector<Candidate>& candidates, std::vector<Figure>& figures) {
  const std::vector<Request> turns = in_turn(request, options_);
  std::vector<Plan> plans;  // of each candidate, one a turn
  for (const Candidate& candidate : candidates) {
    for (const Request& turn : turns) plans.push_back(with_root_of(turn, candidate.plan));
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
  const auto add = [&](const std::function<void(std::size_t)>& call_in_turn) {
    calls.emplace_back([&, call_in_turn, turn = std::size_t{0}]() mutable {
      if (!takes_turns(request, options_)) return call_in_turn(turn++ % turns.size());
      for (std::size_t each = 0; each < turns.size(); ++each) {
        call_in_turn(each);
        acknowledge(session_.communicator());
      }
    });
  };
  if (wants(options_, "native")) {
    add([&](std::size_t turn) { call(*native, turns[turn], buffers.input(), buffers.output(), type, op); });
  }
  for (std::size_t first = 0; first < prepared.size(); first += turns.size()) {
    add([&, first](std::size_t turn) {
      prepared[first + turn].start();
      prepared[first + turn].wait();
    });
  }
  const Repeat repeat{.least = options_.least, .most = options_.most, .precision = options_.precision};
  const std::vector<Timing> timings = alternate(session_.communicator(), calls, repeat);
  for (std::size_t i = 0; i < figures.size(); ++i) figures[i].timing = timings[i];
}

}  // namespace tombolo::benchmarking
