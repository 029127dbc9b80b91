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

/// Returns the forecasts as text (of one size its phases and clusters; of several a line for each, and the sizes from
/// which a further cluster pays), as CSV, a row for each size, or as a JSON object.
std::string to_text(const Forecasts& all);
std::string to_csv(const Forecasts& all);
std::string to_json(const Forecasts& all);

/// Predicted times over the size, with the bound, as an SVG file. Throws the errors of drawn_as_svg().
std::string to_picture(const Forecasts& all);

}  // namespace tombolo::predicting
