#pragma once

#include <string>

namespace tombolo {

/// In quotes of gnuplot, in which nothing but the quote is special.
std::string in_quotes(const std::string& text);

/// What gnuplot draws, as the text of an SVG file, from a script that has set its terminal. Throws Error where there is
/// no gnuplot, or it has drawn nothing.
std::string drawn_as_svg(const std::string& script);

}  // namespace tombolo
