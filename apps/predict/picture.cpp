#include <cmath>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include <tombolo/framework/report/gnuplot.hpp>

#include "predict/report.hpp"

namespace tombolo::predicting {

namespace {

Curve curve_of(const Forecasts& all, std::string title, std::string style,
               const std::function<double(const Prediction&)>& seconds_of) {
  Curve curve{std::move(title), std::move(style), {}};
  for (const Sized& sized : all.sizes) {
    const double time = seconds_of(sized.prediction) * picoseconds_per_second;
    if (time > 0 && time < static_cast<double>(never)) curve.points.push_back({sized.size, std::llround(time)});
  }
  return curve;
}

}  // namespace

std::string to_picture(const Forecasts& all) {
  std::vector<Curve> curves{
      curve_of(all, "predicted", "linespoints pt 7 ps 0.5 lw 2", [](const Prediction& p) { return p.predicted_s(); }),
      curve_of(all, "bound", "lines dt 2 lw 1", [](const Prediction& p) { return p.bound_s(); }),
      curve_of(all, "all ranks at full speed", "lines dt 3 lw 1", [](const Prediction& p) { return p.full_speed_s; })};
  return drawn_curves("tombolo predict " + all.command + ": " + all.source, {{"", std::move(curves)}},
                      {.label = "size", .format = "%g"});
}

}  // namespace tombolo::predicting
