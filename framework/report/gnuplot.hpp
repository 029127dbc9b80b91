#pragma once

#include <string>

namespace tombolo {

/// Quotes text for gnuplot, in single quotes, where only the quote is special.
std::string in_quotes(const std::string& text);

/// Runs gnuplot on a script that has set its terminal and returns the drawing as the text of an SVG file. Throws Error
/// if gnuplot is missing or has drawn nothing.
std::string drawn_as_svg(const std::string& script);

}  // namespace tombolo
