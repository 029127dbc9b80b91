#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <tombolo/framework/chrome_trace.hpp>
#include <tombolo/platform/error.hpp>
#include <tombolo/platform/posix_file.hpp>

namespace tombolo {

namespace {

using Json = nlohmann::ordered_json;

double earliest(std::span<const TraceSpan> spans) {
  double least = std::numeric_limits<double>::infinity();
  for (const TraceSpan& span : spans) least = std::min(least, span.start_s);
  return least;
}

/// Thousandths are nanoseconds; more digits than a clock has make files large.
double microseconds(double time_s) {
  constexpr double ns_per_s = 1e9;
  constexpr double ns_per_us = 1e3;
  return std::round(time_s * ns_per_s) / ns_per_us;
}

Json metadata(const char* what, Rank rank, Json arguments) {
  return {{"name", what}, {"ph", "M"}, {"pid", 0}, {"tid", rank}, {"args", std::move(arguments)}};
}

}  // namespace

void check_spans(std::span<const TraceSpan> spans) {
  for (const TraceSpan& span : spans) {
    const bool times = std::isfinite(span.start_s) && std::isfinite(span.end_s) && span.start_s <= span.end_s;
    if (span.rank < 0 || !times) {
      throw Error(fmt::format("a span {} of rank {} from {} s to {} s", tombolo::quoted(span.name), span.rank,
                              span.start_s, span.end_s),
                  "give ranks from 0 on and times of which the end is not before the start");
    }
  }
}

std::string chrome_trace(std::span<const TraceSpan> spans, std::span<const std::string> row_names) {
  check_spans(spans);
  std::set<Rank> ranks;
  for (std::size_t rank = 0; rank < row_names.size(); ++rank) ranks.insert(static_cast<Rank>(rank));
  for (const TraceSpan& span : spans) ranks.insert(span.rank);
  Json events = Json::array();
  for (const Rank rank : ranks) {
    const auto row = static_cast<std::size_t>(rank);
    const std::string name = row < row_names.size() ? row_names[row] : fmt::format("rank {}", rank);
    events.push_back(metadata("thread_name", rank, {{"name", name}}));
    events.push_back(metadata("thread_sort_index", rank, {{"sort_index", rank}}));
  }
  const double first = earliest(spans);
  for (const TraceSpan& span : spans) {
    const double start = microseconds(span.start_s - first);
    events.push_back({{"name", span.name},
                      {"cat", span.category},
                      {"ph", "X"},
                      {"ts", start},
                      {"dur", microseconds(span.end_s - span.start_s)},
                      {"pid", 0},
                      {"tid", span.rank}});
  }
  const Json file = {{"displayTimeUnit", "ms"}, {"traceEvents", std::move(events)}};
  return file.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace tombolo
