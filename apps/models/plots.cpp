#include "models/plots.hpp"

#include <map>
#include <optional>
#include <set>

#include <fmt/format.h>

#include <tombolo/framework/report/gnuplot.hpp>

namespace tombolo::modelling {

namespace {

struct Panel {
  std::string title;
  std::vector<const Sample*> samples;
};

// By algorithm and segments, in the order in which they were timed.
std::vector<Panel> panels_of(const std::vector<const Sample*>& samples) {
  std::vector<Panel> panels;
  for (const Sample* sample : samples) {
    std::string title = sample->algorithm;
    if (sample->segment > 0) title += fmt::format(", segments of {} B", sample->segment);
    auto panel = panels.begin();
    while (panel != panels.end() && panel->title != title) ++panel;
    if (panel == panels.end()) panel = panels.insert(panel, Panel{.title = title, .samples = {}});
    panel->samples.push_back(sample);
  }
  return panels;
}

// A block of data with that name: the times that there are of the panel's samples; empty where there is none.
template <class Times>
std::string curve(const std::string& name, const Panel& panel, Times times) {
  std::string data;
  for (const Sample* sample : panel.samples) {
    if (const std::optional<Picoseconds> time = times(*sample)) {
      data += fmt::format("{} {:.9g}\n", sample->bytes, seconds(*time));
    }
  }
  return data.empty() ? data : fmt::format("{} << end\n{}end\n", name, data);
}

std::optional<Picoseconds> prediction(const Sample& sample, const std::string& model) {
  const auto found = sample.predicted.find(model);
  if (found == sample.predicted.end()) return std::nullopt;
  return found->second;
}

std::string script(const std::string& title, const std::vector<Panel>& panels) {
  std::set<std::string> models;
  for (const Panel& panel : panels) {
    for (const Sample* sample : panel.samples) {
      for (const auto& [model, time] : sample->predicted) models.insert(model);
    }
  }
  constexpr std::size_t columns = 2;
  const std::size_t rows = (panels.size() + columns - 1) / columns;
  std::string text = fmt::format(
      "set terminal svg size {},{} dynamic noenhanced background rgb 'white' font 'sans-serif,12'\n"
      "set logscale xy\nset grid\nset xlabel 'bytes'\nset ylabel 'seconds'\nset key left top\n"
      "set format x '%.0e'\nset format y '%.0e'\n",
      panels.size() > 1 ? 1100 : 600, 380 * rows + 40);
  std::string drawing =
      fmt::format("set multiplot layout {},{} title {}\n", rows, std::min(columns, panels.size()), in_quotes(title));
  for (std::size_t p = 0; p < panels.size(); ++p) {
    const std::string measured = fmt::format("$m{}", p);
    text += curve(measured, panels[p], [](const Sample& sample) { return sample.measured; });
    drawing += fmt::format("set title {}\nplot {} with points pt 7 ps 0.7 lc 'black' title 'measured'",
                           in_quotes(panels[p].title), measured);
    std::size_t line = 0;
    for (const std::string& model : models) {
      const std::string predicted = fmt::format("$p{}_{}", p, line++);
      const std::string data =
          curve(predicted, panels[p], [&](const Sample& sample) { return prediction(sample, model); });
      if (data.empty()) continue;
      text += data;
      drawing += fmt::format(", {} with lines {} lc {} title {}", predicted, model == poly_name ? "lw 2.5" : "lw 1",
                             line, in_quotes(model));
    }
    drawing += "\n";
  }
  return text + drawing + "unset multiplot\n";
}

std::string file_name_of(const std::string& scope, Operation operation) {
  std::string text = scope + "-" + std::string(name(operation)) + ".svg";
  for (char& c : text) {
    const bool plain =
        (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '.';
    if (!plain) c = '_';
  }
  return text;
}

}  // namespace

std::vector<std::pair<std::string, std::string>> pictures(const Survey& survey) {
  std::map<std::pair<std::string, Operation>, std::vector<const Sample*>> by_place;
  for (const Sample& sample : survey.judged) {
    if (sample.bytes > 0) by_place[{sample.scope, sample.operation}].push_back(&sample);
  }
  std::vector<std::pair<std::string, std::string>> found;
  for (const auto& [place, samples] : by_place) {
    const auto& [scope, operation] = place;
    const std::string title = fmt::format("{} in {}, {} ranks", name(operation), scope, samples.front()->ranks);
    found.emplace_back(file_name_of(scope, operation), drawn_as_svg(script(title, panels_of(samples))));
  }
  return found;
}

}  // namespace tombolo::modelling
