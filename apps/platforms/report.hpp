#pragma once

#include <string>

#include "output.hpp"
#include "platforms/survey.hpp"

namespace tombolo::modelling {

/// For people: what estimating cost, how far predictions were off, which model is believed and what it chooses.
std::string to_text(const Survey& survey);

/// Every prediction beside what was measured: model, cluster, op, algorithm, segment, ranks, root, bytes, predicted_s,
/// measured_s, use ("fit" or "judge").
std::string to_csv(const Survey& survey);

/// All of that.
std::string to_json(const Survey& survey);

/// A picture for each cluster and operation: times against sizes, a diagram for each algorithm with what was measured
/// and what each model predicted, in the manner of Figure 7 of the adaptive framework's paper. Throws Error where there
/// is no gnuplot.
Pictures pictures(const Survey& survey);

}  // namespace tombolo::modelling
