#include "bench/race.hpp"

#include <algorithm>

#include <tombolo/collectives/bound.hpp>
#include <tombolo/collectives/mpi/planned.hpp>
#include <tombolo/platform/mpi/check.hpp>

#include "bench/check.hpp"
#include "bench/contestants.hpp"
#include "timing/turns.hpp"

namespace tombolo::benchmarking {

namespace {

bool wants(const Options& options, const char* implementation) {
  return std::find(options.implementations.begin(), options.implementations.end(), implementation) !=
         options.implementations.end();
}

}  // namespace

bool Race::steps_aside(const Request& request) const {
  const Decision* const tuned = options_.as_chosen() ? planner_.decision(request) : nullptr;
  return tuned != nullptr && tuned->carrier == Carrier::native;
}

std::vector<Figure> Race::run(const timing::Cell& cell) {
  const Request request = timing::request_of(cell, session_.ranks());
  const bool ours = wants(options_, "tombolo");
  const bool aside = ours && steps_aside(request);
  std::vector<Candidate> candidates;
  if (ours && !aside) candidates = contestants(session_, request, options_, planner_);
  std::vector<Figure> figures;
  if (wants(options_, "native")) {
    Figure& native = figures.emplace_back(figure(cell, request));
    native.native = true;
    native.algorithm = native.how = "native";
  }
  if (aside) {
    Figure& tuned = figures.emplace_back(figure(cell, request));
    tuned.algorithm = "native";
    tuned.how = "native, as tuned";
  }
  for (const Candidate& candidate : candidates) {
    Figure& planned = figures.emplace_back(figure(cell, request));
    planned.algorithm = candidate.plan.algorithm().name;
    planned.how = candidate.plan.how();
    planned.parameters = candidate.plan.parameters();
    planned.predicted = candidate.predicted;
  }
  if (options_.check) check(candidates, figures);
  if (options_.repeat.most > 0) time(request, candidates, figures);
  return figures;
}

Figure Race::figure(const timing::Cell& cell, const Request& request) const {
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
  const timing::Contest contest{
      .plans = candidates, .native = figures.size() > candidates.size(), .rotates = options_.root == "rotate"};
  const std::vector<Timing> timings = timing::time_in_turns(session_, request, contest, options_.repeat);
  // Where a planned call steps aside, it is the native one.
  for (std::size_t i = 0; i < figures.size(); ++i) figures[i].timing = timings[std::min(i, timings.size() - 1)];
}

}  // namespace tombolo::benchmarking
