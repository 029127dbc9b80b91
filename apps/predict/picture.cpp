#include <cmath>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include <tombolo/framework/report/gnuplot.hpp>

#include "predict/report.hpp"

namespace tombolo::predicting {

namespace {

struct Point {
  std::int64_t size = 0;
  double seconds = 0;
};

Curve curve_of(std::string title, std::string style, const std::vector<Point>& points) {
  Curve curve{std::move(title), std::move(style), {}};
  for (const auto& [size, seconds] : points) {
    const double time = seconds * picoseconds_per_second;
    if (time > 0 && time < static_cast<double>(never)) curve.points.push_back({size, std::llround(time)});
  }
  return curve;
}

}  // namespace

std::string to_picture(const Forecasts& all) {
  const auto points = [&](const std::function<double(const Prediction&)>& seconds_of) {
    std::vector<Point> found;
    for (const Sized& sized : all.sizes) found.push_back({sized.size, seconds_of(sized.prediction)});
    return found;
  };
  std::vector<Curve> curves;
  for (const auto& [name, seconds] : all.on_fewer) {
    std::vector<Point> of_few;
    for (const auto& [size, time] : seconds) of_few.push_back({size, time});
    curves.push_back(curve_of(name, "linespoints pt 6 ps 0.5 lw 1", of_few));
  }
  curves.push_back(curve_of(all.on_fewer.empty() ? "predicted" : "best of all clusters",
                            "linespoints pt 7 ps 0.6 lw 2 lc 'black'",
                            points([](const Prediction& p) { return p.predicted_s(); })));
  curves.push_back(
      curve_of("bound", "lines dt 2 lw 1 lc 'black'", points([](const Prediction& p) { return p.bound_s(); })));
  curves.push_back(curve_of("all ranks at full speed", "lines dt 3 lw 1 lc 'gray40'",
                            points([](const Prediction& p) { return p.full_speed_s; })));
  return drawn_curves("tombolo predict " + all.command + ": " + all.source, {{"", std::move(curves)}},
                      {.label = "size", .format = "%g"});
}

}  // namespace tombolo::predicting
