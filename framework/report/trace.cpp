#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <tombolo/framework/report/gnuplot.hpp>
#include <tombolo/framework/report/trace.hpp>
#include <tombolo/platform/json/json.hpp>
#include <tombolo/platform/system/posix_file.hpp>
#include <tombolo/units.hpp>

namespace tombolo {

namespace {

double earliest(std::span<const TraceSpan> spans) {
  double least = std::numeric_limits<double>::infinity();
  for (const TraceSpan& span : spans) least = std::min(least, span.start_s);
  return least;
}

/// Thousandths are nanoseconds; digits beyond the clock's resolution only enlarge files.
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

namespace {

constexpr double half_bar = 0.4;  // fraction of a row's height
constexpr std::size_t most_row_names = 60;

// Colours distinct for the colour-blind too, then lighter versions.
constexpr std::array<const char*, 12> colours = {"#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00",
                                                 "#f0e442", "#7f5f9f", "#8fbfdf", "#f2cf80", "#80cfb9", "#e5bcd3"};
constexpr const char* others_colour = "#999999";

/// Spans of the same style.
struct Series {
  std::string name;
  bool waits = false;
  double first = 0;
  std::string data;  // x, y, x from, x to, y from, y to
};

std::map<Rank, std::size_t> rows_of(std::span<const TraceSpan> spans, std::size_t named) {
  std::set<Rank> ranks;
  for (std::size_t rank = 0; rank < named; ++rank) ranks.insert(static_cast<Rank>(rank));
  for (const TraceSpan& span : spans) ranks.insert(span.rank);
  std::map<Rank, std::size_t> rows;
  for (const Rank rank : ranks) rows.emplace(rank, rows.size());
  return rows;
}

std::vector<Series> series_of(std::span<const TraceSpan> spans, const std::map<Rank, std::size_t>& rows,
                              double origin) {
  std::map<std::pair<std::string, bool>, Series> found;
  for (const TraceSpan& span : spans) {
    const bool waits = span.category == "wait";
    const double start = span.start_s - origin;
    const auto [place, fresh] = found.try_emplace({span.name, waits}, Series{span.name, waits, start, {}});
    Series& series = place->second;
    series.first = std::min(series.first, start);
    const auto row = static_cast<double>(rows.at(span.rank));
    series.data += fmt::format("{0:.9g} {1:.9g} {0:.9g} {2:.9g} {3} {4}\n", start, row, span.end_s - origin,
                               row - half_bar, row + half_bar);
  }
  std::vector<Series> all;
  for (auto& [key, series] : found) all.push_back(std::move(series));
  std::stable_sort(all.begin(), all.end(), [](const Series& a, const Series& b) { return a.first < b.first; });
  return all;
}

std::string tics(const std::map<Rank, std::size_t>& rows, std::span<const std::string> names) {
  std::string text;
  const std::size_t every = (rows.size() + most_row_names - 1) / most_row_names;
  for (const auto& [rank, row] : rows) {
    if (row % every != 0) continue;
    const auto place = static_cast<std::size_t>(rank);
    const std::string name = place < names.size() ? names[place] : fmt::format("rank {}", rank);
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", as_tic(name), row);
  }
  return text;
}

}  // namespace

std::string trace_svg_script(std::span<const TraceSpan> spans, std::span<const std::string> row_names,
                             const std::string& title) {
  check_spans(spans);
  if (spans.empty()) throw Error("there are no spans to draw", "record something before, as text or not at all");
  double origin = spans.front().start_s;
  double end = spans.front().end_s;
  for (const TraceSpan& span : spans) {
    origin = std::min(origin, span.start_s);
    end = std::max(end, span.end_s);
  }
  const std::map<Rank, std::size_t> rows = rows_of(spans, row_names.size());
  const std::vector<Series> all = series_of(spans, rows, origin);
  constexpr std::size_t frame = 130;
  constexpr std::size_t tallest = 1600;
  constexpr std::size_t per_row = 26;
  const std::size_t height = std::min(frame + per_row * rows.size() + 18 * all.size() / 3, tallest);
  std::string script = svg_terminal(1000, height);
  script += fmt::format("set title {}\nset format x '%g s'\n", in_quotes(title));
  script += fmt::format("set xrange [0:{:.9g}]\n", end > origin ? end - origin : 1.0);
  script += fmt::format("set yrange [{}:-0.6]\nset ytics ({}) scale 0\nset xtics nomirror\n",
                        static_cast<double>(rows.size()) - half_bar, tics(rows, row_names));
  script += "set grid xtics\nset border 3\nset key below horizontal\n";
  std::string plot;
  std::map<std::string, std::size_t> colour_of;
  for (std::size_t s = 0; s < all.size(); ++s) {
    const Series& series = all[s];
    const std::size_t colour = colour_of.emplace(series.name, colour_of.size()).first->second;
    const std::string fill = series.waits ? "solid 0.25 border" : "solid 0.9 noborder";
    script += fmt::format("$s{} << end_of_spans\n{}end_of_spans\n", s, series.data);
    plot += fmt::format("{} $s{} using 1:2:3:4:5:6 with boxxyerror fillstyle {} linecolor rgb '{}' title {}",
                        s == 0 ? "plot" : ",", s, fill, colour < colours.size() ? colours.at(colour) : others_colour,
                        in_quotes(series.waits ? series.name + " (waiting)" : series.name));
  }
  return script + plot + "\n";
}

}  // namespace tombolo
