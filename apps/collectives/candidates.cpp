#include "collectives/candidates.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <tombolo/collectives/mapping/placement.hpp>
#include <tombolo/collectives/predict/pipeline_time.hpp>
#include <tombolo/collectives/predict/predict.hpp>
#include <tombolo/collectives/request/regular.hpp>
#include <tombolo/units.hpp>

namespace tombolo::planning {

namespace {

// All bytes that a collective moves are counted in 63 bits.
constexpr Bytes most_bytes = Bytes{1} << 56;

// Steps of all ranks together that take half a minute to prove, and about a gigabyte of memory.
constexpr std::int64_t most_steps = std::int64_t{1} << 22;

Operation operation_for(const Options& o) {
  if (const auto operation = find_operation(o.operation)) return *operation;
  throw Error(fmt::format("there is no operation '{}'", o.operation), "choose one of " + listed(operation_names()));
}

// Sets the trees or groups of the fastest candidate by prediction, of those by the stated schedule if there is one.
void set_topology(Parameters& parameters, const Options& o, const Request& request, const Algorithm& algorithm,
                  const Planner& planner) {
  const Bytes segments[] = {o.stated.value(Parameter::segment_bytes).value_or(0)};
  const std::string& schedule = o.mapping.schedule;
  const std::vector<Candidate> all =
      schedule.empty() ? planner.candidates_of(algorithm, request)
                       : planner.candidates_of(algorithm, request, stated_schedule(schedule), segments);
  const auto faster = [](const Candidate& a, const Candidate& b) { return a.predicted < b.predicted; };
  const auto best = std::min_element(all.begin(), all.end(), faster);
  if (best == all.end()) return;
  parameters.trees = best->plan.parameters().trees;
  parameters.groups = best->plan.parameters().groups;
}

std::vector<Candidate> candidates_within_time(const Planner& planner, const Request& request) {
  std::vector<Candidate> all = planner.candidates(request);
  check_within_time(all);
  return all;
}

// Moves a tuned plan before those that would be chosen.
void put_first(const Plan& plan, const Planner& planner, std::vector<Candidate>& all) {
  const auto same = std::find_if(all.begin(), all.end(), [&](const Candidate& c) { return c.plan == plan; });
  if (same != all.end()) {
    std::rotate(all.begin(), same, same + 1);
  } else {
    all.insert(all.begin(), {plan, pipeline_time(plan, planner.model_for(plan.request(), plan.algorithm()))});
  }
}

}  // namespace

Request request_for(const Options& o) {
  const Operation operation = operation_for(o);
  for (const Rank rank : {o.root, o.rank}) {
    if (rank < o.ranks) continue;
    throw Error(fmt::format("{} {} of {} ranks", rank == o.root ? "--root" : "--rank", rank, o.ranks),
                fmt::format("give 0 to {}", o.ranks - 1));
  }
  if (o.bytes > most_bytes / o.ranks) {
    throw Error(fmt::format("--bytes {} on {} ranks", o.bytes, o.ranks), "plan for at most 2^56 bytes in all");
  }
  return regular_request(operation, o.ranks, o.root, o.bytes);
}

Hockney links_of(const Options& o) {
  constexpr double most = 1e9;
  if (!(o.latency_us >= 0 && o.latency_us <= most)) {
    throw Error(fmt::format("--latency {}", o.latency_us), "give 0 to 1e9 microseconds");
  }
  if (!(o.rate_mb > 0 && o.rate_mb <= most)) {
    throw Error(fmt::format("--rate {}", o.rate_mb), "give more than 0 and up to 1e9 MB/s");
  }
  return Hockney({.latency = std::llround(o.latency_us * 1e6),
                  .rate = std::max<BytesPerSecond>(std::llround(o.rate_mb * 1e6), 1)});
}

bool has_few_steps(const Plan& plan) {
  const Request& request = plan.request();
  const Parameters& parameters = plan.parameters();
  std::int64_t steps = 0;
  if (plan.algorithm().heeds(Parameter::segment_bytes) && parameters.segment_bytes > 0) {
    steps = request.count * request.element_bytes / parameters.segment_bytes;  // before any rank writes them down
  }
  // A proof compares the results of a rank block by block.
  if (sizes(request.operation) != Sizes::vector) steps += std::int64_t{request.ranks} * request.ranks / 16;
  for (Rank rank = 0; rank < request.ranks && steps <= most_steps; ++rank) {
    steps += plan.direct(rank, request.seen_by(rank)).size();
  }
  return steps <= most_steps;
}

Answer answer(const Options& o, const Request& request, const Planner& planner) {
  if (o.algorithm.empty()) {
    Answer answer{.plans = candidates_within_time(planner, request),
                  .decision = planner.decision(request),
                  .backend = planner.backend(request)};
    if (answer.decision != nullptr) {
      answer.otherwise = answer.plans.front();
      put_first(answer.decision->plan(request), planner, answer.plans);
    }
    return answer;
  }
  const Algorithm& algorithm = find_algorithm(request.operation, o.algorithm);
  Parameters parameters = o.stated.checked_for(algorithm);
  const Model& model = planner.model_for(request, algorithm);
  if (o.mapping.mapping) {
    parameters.order = placed_order(algorithm, parameters, request, model, *o.mapping.mapping);
  }
  if (!o.mapping.schedule.empty() || (algorithm.is_mapped() && !o.platform.empty())) {
    set_topology(parameters, o, request, algorithm, planner);
  }
  Plan plan(request, algorithm, std::move(parameters));
  const Picoseconds makespan = has_few_steps(plan) ? tombolo::makespan(plan, model) : pipeline_time(plan, model);
  std::vector<Candidate> only{{std::move(plan), makespan}};
  check_within_time(only);
  return {.plans = std::move(only)};
}

}  // namespace tombolo::planning
