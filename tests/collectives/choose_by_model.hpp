#pragma once

#include <tombolo/collectives/choose/choose.hpp>

namespace tombolo {

// choose() and candidates() by one model for all requests.

inline ModelFor always(const Model& model) {
  return [&model](const Request&, const Algorithm&) -> const Model& { return model; };
}

inline std::vector<Candidate> candidates(const Request& request, const Model& model,
                                         const PlatformKnowledge& knowledge = {}) {
  return candidates(request, always(model), knowledge);
}

inline Plan choose(const Request& request, const Model& model, const PlatformKnowledge& knowledge = {}) {
  return choose(request, always(model), knowledge).plan;
}

/// The sum of value(rank, step) over what all ranks send.
template <class Value>
std::int64_t sum_over_sends(const Plan& plan, const Value& value) {
  std::int64_t sum = 0;
  for (Rank rank = 0; rank < plan.request().ranks; ++rank) {
    const Schedule schedule = plan.direct(rank, plan.request());
    for (const Step& step : schedule.steps()) sum += step.kind == Step::Kind::send ? value(rank, step) : 0;
  }
  return sum;
}

}  // namespace tombolo
