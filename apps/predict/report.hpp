#pragma once

#include <string>
#include <vector>

#include "predict/growth.hpp"

namespace tombolo::predicting {

/// Everything that is told of predictions on one platform.
struct Forecasts {
  std::string command = {};  ///< "matmul"
  std::string source;        ///< of the platform
  std::string model;         ///< of communication
  std::vector<Processor> processors;
  std::vector<Sized> sizes = {};  ///< ascending, one or more
  std::vector<Step> steps = {};
  std::vector<OnClusters> on_fewer = {};
  bool chooses = true;  ///< ranks are left out where that is faster
  bool explain = false;
};

/// One size: its phases and clusters. Several: a line for each, and the steps. Also as CSV, a row for each size, and as
/// a JSON object.
std::string to_text(const Forecasts& all);
std::string to_csv(const Forecasts& all);
std::string to_json(const Forecasts& all);

/// Predicted times over the size, with the bound, as an SVG file. Throws the errors of drawn_as_svg().
std::string to_picture(const Forecasts& all);

}  // namespace tombolo::predicting
