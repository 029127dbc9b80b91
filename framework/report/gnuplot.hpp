#pragma once

#include <string>
#include <utility>
#include <vector>

#include <tombolo/units.hpp>

namespace tombolo {

/// Quotes text for gnuplot, in single quotes, where only the quote is special.
std::string in_quotes(const std::string& text);

/// Quotes text for the label of a tic, which gnuplot takes for a format.
std::string as_tic(const std::string& text);

/// Returns the commands at the beginning of every script: an SVG picture of this size in pixels, with text as it is.
std::string svg_terminal(std::size_t width, std::size_t height);

/// Runs gnuplot on a script that has set its terminal and returns the drawing as the text of an SVG file. Throws Error
/// if gnuplot is missing or has drawn nothing.
std::string drawn_as_svg(const std::string& script);

/// A measured or predicted time of one size, in the interval from `low` to `high`; none if both are 0.
struct CurvePoint {
  Bytes bytes = 0;
  Picoseconds time = 0;
  Picoseconds low = 0;
  Picoseconds high = 0;
};

/// A curve of a diagram. Points without bytes or time do not show on logarithmic axes and are left out.
struct Curve {
  std::string title;
  std::string style;  ///< what gnuplot knows of lines and points: "lines dt 2 lw 1"
  std::vector<CurvePoint> points;
};

/// A diagram: its title and its curves.
using Diagram = std::pair<std::string, std::vector<Curve>>;

/// What the sizes of a diagram are.
struct SizeAxis {
  std::string label = "bytes";
  std::string format = "%.0s%cB";  ///< of a tic, as gnuplot takes it
};

/// Draws times over sizes on logarithmic axes, with intervals as error bars: one diagram, or several in two columns
/// under a common title. Returns an SVG file. Throws the errors of drawn_as_svg().
std::string drawn_curves(const std::string& title, const std::vector<Diagram>& diagrams, const SizeAxis& axis = {});

}  // namespace tombolo
