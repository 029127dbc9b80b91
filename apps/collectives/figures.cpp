#include "collectives/figures.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <tombolo/collectives/plan/parameter_table.hpp>
#include <tombolo/framework/report/gnuplot.hpp>
#include <tombolo/framework/report/table.hpp>
#include <tombolo/platform/json/json.hpp>
#include <tombolo/platform/readable.hpp>

namespace tombolo::benchmarking {

namespace {

bool timed(const Figure& figure) {
  return !figure.timing.times.empty();
}

std::string title_of(const Figure& f) {
  return fmt::format("{} on {} ranks{}", name(f.operation), f.ranks,
                     is_rooted(f.operation) ? fmt::format(", root {}", f.root) : "");
}

bool same_cell(const Figure& a, const Figure& b) {
  return a.operation == b.operation && a.bytes == b.bytes && a.root == b.root;
}

double ratio(Picoseconds a, Picoseconds b) {
  return static_cast<double>(a) / static_cast<double>(b);
}

std::string factor(Picoseconds a, Picoseconds b) {
  return b > 0 ? fmt::format("{:.2f}", ratio(a, b)) : "-";
}

std::string within(const Timing& timing) {
  return timing.median > 0 ? fmt::format("+-{:.1f} %", 100 * ratio(timing.high - timing.low, 2 * timing.median)) : "";
}

// "-3.1 %": the prediction was that much too low.
std::string error(const Figure& figure) {
  if (!figure.predicted || figure.timing.median <= 0) return "";
  return fmt::format("{:+.1f} %", 100 * (ratio(*figure.predicted, figure.timing.median) - 1));
}

// The cells of one operation and root; geometric means of native over planned and planned over the bound.
class Section {
 public:
  explicit Section(const Figure& first) : title_(title_of(first)) {}

  void add(std::vector<const Figure*> cell) {
    const auto native = std::find_if(cell.begin(), cell.end(), [](const Figure* f) { return f->native; });
    const Picoseconds rival = native != cell.end() && timed(**native) ? (*native)->timing.median : 0;
    std::stable_sort(cell.begin(), cell.end(), [](const Figure* a, const Figure* b) {
      return a->native != b->native ? a->native : a->timing.median < b->timing.median;
    });
    bool best = true;
    for (const Figure* figure : cell) {
      const Picoseconds time = figure->timing.median;
      const bool planned = !figure->native && timed(*figure);
      table_.add({readable_bytes(figure->bytes), figure->how, timed(*figure) ? readable(time) : "",
                  timed(*figure) ? within(figure->timing) : "",
                  timed(*figure) ? fmt::format("{}", figure->timing.times.size()) : "",
                  planned && rival > 0 ? factor(rival, time) : "", timed(*figure) ? factor(time, figure->bound) : "",
                  error(*figure), figure->right ? (*figure->right ? "yes" : "NO") : ""});
      if (!planned || time <= 0 || !best) continue;
      best = false;
      if (rival > 0) over_native_.push_back(std::log(ratio(rival, time)));
      if (figure->bound > 0) over_bound_.push_back(std::log(ratio(time, figure->bound)));
    }
  }

  std::string text() const {
    std::string text = title_ + "\n\n" + table_.text();
    const auto mean = [](const std::vector<double>& logs) {
      double sum = 0;
      for (const double x : logs) sum += x;
      return std::exp(sum / static_cast<double>(logs.size()));
    };
    if (!over_native_.empty())
      text += fmt::format("\nnative / best planned, geometric mean: {:.2f}\n", mean(over_native_));
    if (!over_bound_.empty()) text += fmt::format("best planned / bound, geometric mean: {:.2f}\n", mean(over_bound_));
    return text;
  }

 private:
  std::string title_;
  Table table_{{"bytes", "algorithm", "median", "", "times", "native/this", "this/bound", "prediction", "as native"},
               "><>>>>>>>"};
  std::vector<double> over_native_;
  std::vector<double> over_bound_;
};

}  // namespace

std::string to_text(const std::vector<Figure>& figures, const Environment& environment) {
  std::map<std::pair<Operation, Rank>, Section> sections;
  std::vector<std::pair<Operation, Rank>> order;
  for (std::size_t i = 0; i < figures.size();) {
    std::vector<const Figure*> cell;
    for (const std::size_t first = i; i < figures.size() && same_cell(figures[i], figures[first]); ++i) {
      cell.push_back(&figures[i]);
    }
    const std::pair key(cell.front()->operation, cell.front()->root);
    const auto [section, fresh] = sections.try_emplace(key, *cell.front());
    if (fresh) order.push_back(key);
    section->second.add(std::move(cell));
  }
  std::string text;
  for (const auto& key : order) text += sections.at(key).text() + "\n";
  text += fmt::format("{}; {}; platform: {}; medians within {:.1f} % unless they say otherwise\n", environment.mpi,
                      counted(environment.hosts, "host"), environment.platform, 100 * environment.precision);
  if (environment.guesses.empty()) return text;
  return text + fmt::format("guessed in predictions and bounds, as it was not measured: {}\n",
                            fmt::join(environment.guesses, "; "));
}

namespace {

const char* implementation(const Figure& figure) {
  return figure.native ? "native" : "tombolo";
}

Json json_of(const Figure& f, bool every_time) {
  Json json = {{"op", name(f.operation)}, {"impl", implementation(f)}, {"algorithm", f.algorithm}, {"ranks", f.ranks},
               {"root", f.root},          {"bytes", f.bytes}};
  if (!f.native) {
    for (const ParameterRow& row : parameter_rows()) {
      const std::int64_t value = row.get(f.parameters);
      json["parameters"][row.name] = row.is_flag() ? Json(value != 0) : Json(value);
    }
  }
  json["reps"] = f.timing.times.size();
  if (!f.timing.times.empty()) {
    json["median_s"] = seconds(f.timing.median);
    json["low_s"] = seconds(f.timing.low);
    json["high_s"] = seconds(f.timing.high);
  }
  if (f.predicted) json["predicted_s"] = seconds(*f.predicted);
  json["bound_s"] = seconds(f.bound);
  if (f.right) json["as_native"] = *f.right;
  if (every_time) {
    json["times_s"] = Json::array();
    for (const Picoseconds time : f.timing.times) json["times_s"].push_back(seconds(time));
  }
  return json;
}

}  // namespace

std::string to_csv(const std::vector<Figure>& figures, const Environment&) {
  std::string text =
      fmt::format("op,impl,algorithm,ranks,root,bytes,reps,median_s,low_s,high_s,predicted_s,bound_s,{},as_native\n",
                  parameter_columns());
  for (const Figure& f : figures) {
    const auto time = [&f](Picoseconds t) { return csv_seconds(timed(f) ? std::optional(t) : std::nullopt); };
    text += fmt::format("{},{},{},{},{},{},{},{},{},{},{},{},{},{}\n", name(f.operation), implementation(f),
                        f.algorithm, f.ranks, f.root, f.bytes, f.timing.times.size(), time(f.timing.median),
                        time(f.timing.low), time(f.timing.high), csv_seconds(f.predicted), csv_seconds(f.bound),
                        parameter_values(f.parameters), f.right ? (*f.right ? "yes" : "no") : "");
  }
  return text;
}

std::string to_json(const std::vector<Figure>& figures, const Environment& environment) {
  Json json;
  json["environment"] = {
      {"mpi", environment.mpi},         {"hosts", environment.hosts},         {"platform", environment.platform},
      {"guesses", environment.guesses}, {"simulated", environment.simulated}, {"precision", environment.precision}};
  json["figures"] = Json::array();
  for (const Figure& figure : figures) json["figures"].push_back(json_of(figure, environment.keep_times));
  return json.dump(1) + "\n";
}

Pictures pictures(const std::vector<Figure>& figures) {
  struct Curves {
    std::string title;
    std::map<Bytes, const Figure*> native;
    std::map<Bytes, const Figure*> planned;  // the fastest
    std::map<std::string, std::map<Bytes, const Figure*>> algorithms;
  };
  std::map<std::pair<Operation, Rank>, Curves> by_place;
  for (const Figure& f : figures) {
    if (f.bytes == 0 || !timed(f)) continue;
    Curves& curves = by_place[{f.operation, f.root}];
    curves.title = title_of(f);
    const auto keep_fastest = [&f](std::map<Bytes, const Figure*>& points) {
      const auto [at, fresh] = points.try_emplace(f.bytes, &f);
      if (!fresh && f.timing.median < at->second->timing.median) at->second = &f;
    };
    keep_fastest(f.native ? curves.native : curves.planned);
    if (!f.native) keep_fastest(curves.algorithms[f.algorithm]);
  }
  Pictures found;
  for (const auto& [place, curves] : by_place) {
    const auto measured = [](const Figure& f) {
      return CurvePoint{f.bytes, f.timing.median, f.timing.low, f.timing.high};
    };
    const auto predicted = [](const Figure& f) {
      return CurvePoint{.bytes = f.bytes, .time = f.predicted.value_or(0)};
    };
    const auto bound = [](const Figure& f) { return CurvePoint{.bytes = f.bytes, .time = f.bound}; };
    const auto curve = [](const std::string& title, const char* style, const auto& points, auto point_of) {
      Curve made{.title = title, .style = style, .points = {}};
      for (const auto& [bytes, figure] : points) made.points.push_back(point_of(*figure));
      return made;
    };
    std::vector<Curve> drawn{
        curve("native", "linespoints pt 7 ps 0.6 lw 2 lc 'black'", curves.native, measured),
        curve("planned", "linespoints pt 7 ps 0.6 lw 2 lc rgb '#0072b2'", curves.planned, measured),
        curve("planned, predicted", "lines dt 2 lw 1.5 lc rgb '#0072b2'", curves.planned, predicted),
        curve("bound", "lines dt 3 lw 2 lc 'gray'", curves.planned.empty() ? curves.native : curves.planned, bound)};
    for (const auto& [algorithm, points] : curves.algorithms) {
      if (curves.algorithms.size() < 2) break;
      drawn.push_back(curve(algorithm, "linespoints pt 6 ps 0.4 lw 1", points,
                            [](const Figure& f) { return CurvePoint{.bytes = f.bytes, .time = f.timing.median}; }));
    }
    found.emplace_back(fmt::format("{}-root{}.svg", name(place.first), place.second),
                       drawn_curves(curves.title, {{"", drawn}}));
  }
  return found;
}

}  // namespace tombolo::benchmarking
