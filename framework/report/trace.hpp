#pragma once

#include <span>
#include <string>

#include <tombolo/units.hpp>

namespace tombolo {

/// An activity of one rank from one time to another.
struct TraceSpan {
  Rank rank = 0;
  std::string name;      ///< name of the phase or call: "bcast A", "multiply"
  std::string category;  ///< "compute", "collective", "own" (the program's own messages), "wait"
  double start_s = 0;    ///< seconds, on a clock common to all spans
  double end_s = 0;
  bool operator==(const TraceSpan&) const = default;
};

/// Returns spans as a trace-event file, for Perfetto (ui.perfetto.dev) and chrome://tracing: a row for each rank, in
/// rank order, named row_names[rank], or "rank 7" if there are fewer names. Times are microseconds, to a thousandth,
/// from the earliest start on. Bytes of names that are not UTF-8 become U+FFFD. Throws Error for a span with a negative
/// rank, with times that are not numbers, or that ends before its start. Source: "Trace Event Format", Google 2016:
/// complete events (X) and metadata events (M).
std::string chrome_trace(std::span<const TraceSpan> spans, std::span<const std::string> row_names);

/// Throws the errors of chrome_trace() for invalid spans.
void check_spans(std::span<const TraceSpan> spans);

/// Returns a gnuplot script that draws spans as an SVG chart (drawn_as_svg() in gnuplot.hpp runs the script): a row for
/// each rank, rank 0 at the top, named row_names[rank], or "rank 7" if there are fewer names; a bar for each span,
/// coloured by name, hatched for the category "wait"; a legend of names in the order of their first start. Seconds from
/// the earliest start on. Rows without spans and name are left out; names after the twelfth share grey. Throws Error if
/// there are no spans, and as check_spans() does.
std::string trace_svg_script(std::span<const TraceSpan> spans, std::span<const std::string> row_names,
                             const std::string& title);

}  // namespace tombolo
