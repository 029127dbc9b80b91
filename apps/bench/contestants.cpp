#include "bench/contestants.hpp"

#include <algorithm>

#include <tombolo/collectives/mapping/placed_order.hpp>
#include <tombolo/collectives/predict/pipeline_time.hpp>

#include "timing/candidates.hpp"

namespace tombolo::benchmarking {

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

// What the user has stated holds; what is left is tried.
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

}  // namespace

std::vector<Candidate> contestants(Session& session, const Request& request, const Options& options,
                                   const Planner& planner) {
  return timing::chosen_at_rank_0(session, request, [&] { return chosen(request, options, planner); });
}

}  // namespace tombolo::benchmarking
