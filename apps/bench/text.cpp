// figures.hpp's to_text.
#include <algorithm>
#include <cmath>
#include <map>

#include <fmt/format.h>

#include <tombolo/framework/report/table.hpp>
#include <tombolo/platform/readable.hpp>

#include "bench/figures.hpp"
#include "readable_bytes.hpp"

namespace tombolo::benchmarking {

namespace {

bool timed(const Figure& figure) {
  return !figure.timing.times.empty();
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
  explicit Section(const Figure& first) : rooted_(is_rooted(first.operation)) {
    title_ = fmt::format("{} on {} ranks{}", name(first.operation), first.ranks,
                         rooted_ ? fmt::format(", root {}", first.root) : "");
  }

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
  bool rooted_;
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
  return text + fmt::format("{}; {} host{}; platform: {}; medians within {:.1f} % unless they say otherwise\n",
                            environment.mpi, environment.hosts, environment.hosts == 1 ? "" : "s", environment.platform,
                            100 * environment.precision);
}

}  // namespace tombolo::benchmarking
