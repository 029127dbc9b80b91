#pragma once

#include <span>
#include <string>

#include <tombolo/framework/trace.hpp>

namespace tombolo {

/// Spans as the text of a trace-event file, which Perfetto (ui.perfetto.dev) and chrome://tracing open: a row a rank,
/// in the order of ranks, called row_names[rank], or "rank 7" where there are fewer names. Times are microseconds, to a
/// thousandth, from the earliest start on. Bytes of names that are no UTF-8 become U+FFFD. Throws Error for a span
/// whose rank is negative, whose times are no numbers, or that ends before it starts. Source: "Trace Event Format",
/// Google 2016: complete events (X) and metadata events (M).
std::string chrome_trace(std::span<const TraceSpan> spans, std::span<const std::string> row_names);

/// The same errors, for whoever else draws spans.
void check_spans(std::span<const TraceSpan> spans);

}  // namespace tombolo
