#pragma once

#include <string>
#include <utility>
#include <vector>

#include "models/survey.hpp"

namespace tombolo::modelling {

/// A picture for each cluster and operation, as name of a file and SVG: times against sizes, a panel for each algorithm
/// with what was measured and what each model predicted, in the manner of Figure 7 of the adaptive framework's paper.
/// Throws Error where there is no gnuplot.
std::vector<std::pair<std::string, std::string>> pictures(const Survey& survey);

}  // namespace tombolo::modelling
