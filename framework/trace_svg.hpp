#pragma once

#include <span>
#include <string>

#include <tombolo/framework/trace.hpp>

namespace tombolo {

/// A script for gnuplot that draws spans as an SVG chart (drawn_as_svg() in gnuplot.hpp runs it): a row a rank, rank 0
/// at the top, called row_names[rank], or "rank 7" where there are fewer names; a bar a span, coloured by its name,
/// hatched where its category is "wait"; a legend of names in the order in which they first start. Seconds from the
/// earliest start on. Rows that have no span and no name are left out; names beyond the twelfth share grey. Throws
/// Error where there is no span, and as check_spans() does.
std::string trace_svg_script(std::span<const TraceSpan> spans, std::span<const std::string> row_names,
                             const std::string& title);

}  // namespace tombolo
