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

}  // namespace tombolo
