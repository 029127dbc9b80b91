#include "collectives/race.hpp"

#include <algorithm>

#include <fmt/format.h>

#include <tombolo/collectives/choose/scheduled.hpp>
#include <tombolo/collectives/mapping/placement.hpp>
#include <tombolo/collectives/mpi/planned.hpp>
#include <tombolo/collectives/plan/algorithm.hpp>
#include <tombolo/collectives/predict/pipeline_time.hpp>
#include <tombolo/platform/mpi/check.hpp>
#include <tombolo/units.hpp>

#include "collectives/check.hpp"
#include "collectives/turns.hpp"

namespace tombolo::benchmarking {

void check_stated(Operation operation, const Options& options) {
  const MappingOptions& mapping = options.mapping;
  if (options.algorithm == "best" || options.algorithm == "all") {
    if (!mapping.any()) return;
    throw Error(fmt::format("{} with --algorithm {}", mapping.mapping ? "--mapping" : "--schedule", options.algorithm),
                "name an algorithm over a tree, or mapped");
  }
  const Algorithm& algorithm = find_algorithm(operation, options.algorithm);
  if (mapping.mapping) check_has_places(algorithm);
  if (mapping.schedule.empty()) return;
  stated_schedule(mapping.schedule);
  check_follows_schedule(algorithm);
}

namespace {

bool faster(const Candidate& a, const Candidate& b) {
  return a.predicted < b.predicted;
}

std::vector<Candidate> settings_of(const Algorithm& algorithm, const Request& request, const Options& options,
                                   const Planner& planner) {
  if (options.mapping.schedule.empty()) return planner.candidates_of(algorithm, request);
  const auto stated = options.stated.value(Parameter::segment_bytes);
  std::vector<Bytes> segments{stated.value_or(0)};
  if (!stated) {
    const auto sizes = segment_sizes(request, algorithm, planner.model_for(request, algorithm));
    segments.insert(segments.end(), sizes.begin(), sizes.end());
  }
  return planner.candidates_of(algorithm, request, stated_schedule(options.mapping.schedule), segments);
}

// Returns the settings of an algorithm to time: stated parameters hold, the others are tried.
std::vector<Candidate> variants_of(const Algorithm& algorithm, const Request& request, const Options& options,
                                   const Planner& planner) {
  std::vector<Candidate> all = settings_of(algorithm, request, options, planner);
  if (all.empty()) return all;  // it throttles, and there is nothing to throttle
  if (options.states()) {
    const Model& model = planner.model_for(request, algorithm);
    std::vector<Candidate> stated;
    for (const Candidate& candidate : all) {
      Parameters p = options.stated.over(candidate.plan.parameters(), algorithm);
      if (options.mapping.mapping) p.order = placed_order(algorithm, p, request, model, *options.mapping.mapping);
      const auto same = [&p](const Candidate& c) { return c.plan.parameters() == p; };
      if (std::any_of(stated.begin(), stated.end(), same)) continue;
      Plan plan(request, algorithm, p);
      const Picoseconds predicted = pipeline_time(plan, model);
      stated.push_back({std::move(plan), predicted});
    }
    all = std::move(stated);
  }
  std::stable_sort(all.begin(), all.end(), faster);
  all.resize(std::min(all.size(), static_cast<std::size_t>(options.variants)), all.front());
  return all;
}

std::vector<Candidate> chosen(const Request& request, const Options& options, const Planner& planner) {
  std::vector<Candidate> all;
  if (options.as_chosen()) {
    if (const Decision* const tuned = planner.decision(request)) {
      Plan plan = tuned->plan(request);
      const Picoseconds predicted = pipeline_time(plan, planner.model_for(request, plan.algorithm()));
      return {{std::move(plan), predicted}};
    }
    return {planner.choice(request)};
  }
  const bool named = options.algorithm != "best" && options.algorithm != "all";
  const auto algorithms = named ? std::vector<const Algorithm*>{&find_algorithm(request.operation, options.algorithm)}
                                : algorithms_for(request);
  for (const Algorithm* algorithm : algorithms) {
    if (options.algorithm == "best" && algorithm->baseline) continue;
    const auto some = variants_of(*algorithm, request, options, planner);
    all.insert(all.end(), some.begin(), some.end());
  }
  std::stable_sort(all.begin(), all.end(), faster);
  if (options.algorithm == "best" && !all.empty()) {
    all.resize(std::min(all.size(), static_cast<std::size_t>(options.variants)), all.front());
  }
  return all;
}

// Which plans are timed for a request, with what is predicted of each; the same on all ranks. Throws AgreedError for an
// algorithm that there is not, or that cannot carry out the request. Collective.
std::vector<Candidate> contestants(Session& session, const Request& request, const Options& options,
                                   const Planner& planner) {
  return timing::chosen_at_rank_0(session, request, [&] { return chosen(request, options, planner); });
}

bool wants(const Options& options, const char* implementation) {
  return std::find(options.implementations.begin(), options.implementations.end(), implementation) !=
         options.implementations.end();
}

// Whether one time is that of all roots in turn.
bool takes_turns(const Request& request, const Options& options) {
  return options.root == "turns" && is_rooted(request.operation);
}

timing::Contest::Roots roots_of(const Options& options) {
  using Roots = timing::Contest::Roots;
  return options.root == "turns" ? Roots::turns : options.root == "rotate" ? Roots::rotate : Roots::one;
}

}  // namespace

bool Race::steps_aside(const Request& request) const {
  return options_.as_chosen() && planner_.backend(request) == Backend::native;
}

std::vector<Figure> Race::run(const timing::Cell& cell) {
  const Request request = timing::request_of(cell, session_.ranks(), options_.counts);
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
    Figure& left = figures.emplace_back(figure(cell, request));
    left.algorithm = "native";
    left.how = planner_.decision(request) != nullptr ? "native, as tuned" : "native, as on one host";
  }
  for (const Candidate& candidate : candidates) {
    Figure& planned = figures.emplace_back(figure(cell, request));
    planned.algorithm = candidate.plan.algorithm().name;
    planned.how = candidate.plan.how();
    planned.parameters = candidate.plan.parameters();
    if (!takes_turns(request, options_)) planned.predicted = candidate.predicted;
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
  if (!takes_turns(request, options_)) {
    figure.bound = planner_.bound(request);
  } else {
    for (const Request& turn : timing::in_turn(request, roots_of(options_))) figure.bound += planner_.bound(turn);
  }
  return figure;
}

void Race::check(const std::vector<Candidate>& candidates, std::vector<Figure>& figures) {
  const auto native = session_.make_collectives(Session::Kind::native);
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
  const timing::Contest contest{
      .plans = candidates,
      .native = figures.size() > candidates.size(),
      .roots = roots_of(options_),
      .with_root_of = [this](const Request& turn, const Plan& plan) { return with_root_of(turn, plan); }};
  const std::vector<Timing> timings = timing::time_in_turns(session_, request, contest, options_.repeat);
  // A planned call that steps aside is the native one, with the same timing.
  for (std::size_t i = 0; i < figures.size(); ++i) figures[i].timing = timings[std::min(i, timings.size() - 1)];
}

}  // namespace tombolo::benchmarking
