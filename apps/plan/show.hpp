#pragma once

#include <string>
#include <vector>

#include "plan/candidates.hpp"

namespace tombolo::planning {

/// The first of the plans with its proof, predicted by `model`, and the others by name: for people, and one JSON object
/// for programs. The bound is that of `links`.
std::string to_text(const Options& options, const std::vector<Candidate>& all, const Model& model,
                    const Hockney& links);
std::string to_json(const std::vector<Candidate>& all, const Model& model, const Hockney& links);

}  // namespace tombolo::planning
