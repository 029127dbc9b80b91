// figures.hpp's pictures.
#include <algorithm>
#include <map>

#include <fmt/format.h>

#include <tombolo/framework/report/gnuplot.hpp>

#include "bench/figures.hpp"

namespace tombolo::benchmarking {

namespace {

using Points = std::map<Bytes, Picoseconds>;  // the least, where there are several

struct Picture {
  std::string title;
  std::map<std::string, Points> curves;  // by what is said of them
};

void add(Points& points, Bytes bytes, Picoseconds time) {
  if (time <= 0) return;
  const auto [at, fresh] = points.try_emplace(bytes, time);
  if (!fresh) at->second = std::min(at->second, time);
}

std::string script(const Picture& picture) {
  std::string text = fmt::format(
      "set terminal svg size 900,600 dynamic noenhanced background rgb 'white' font 'sans-serif,12'\n"
      "set logscale xy\nset grid\nset xlabel 'bytes'\nset ylabel 'seconds'\nset key outside right top\n"
      "set format x '%.0e'\nset format y '%.0e'\nset title {}\n",
      in_quotes(picture.title));
  std::string drawing = "plot ";
  int number = 0;
  for (const auto& [title, points] : picture.curves) {
    if (points.empty()) continue;
    text += fmt::format("$d{} << end\n", number);
    for (const auto& [bytes, time] : points) text += fmt::format("{} {:.9g}\n", bytes, seconds(time));
    text += "end\n";
    const char* style = title == "bound"                 ? "lines dt 3 lw 2 lc 'gray'"
                        : title == "native"              ? "linespoints pt 7 ps 0.6 lw 2 lc 'black'"
                        : title.starts_with("predicted") ? "lines dt 2 lw 1"
                                                         : "linespoints pt 6 ps 0.5 lw 1.5";
    drawing += fmt::format("{}$d{} with {} title {}", number == 0 ? "" : ", ", number, style, in_quotes(title));
    ++number;
  }
  return text + drawing + "\n";
}

}  // namespace

std::vector<std::pair<std::string, std::string>> pictures(const std::vector<Figure>& figures) {
  std::map<std::pair<Operation, Rank>, Picture> by_place;
  for (const Figure& f : figures) {
    if (f.bytes == 0 || f.timing.times.empty()) continue;
    Picture& picture = by_place[{f.operation, f.root}];
    picture.title = fmt::format("{} on {} ranks{}", name(f.operation), f.ranks,
                                is_rooted(f.operation) ? fmt::format(", root {}", f.root) : "");
    add(picture.curves[f.native ? "native" : f.algorithm], f.bytes, f.timing.median);
    add(picture.curves["bound"], f.bytes, f.bound);
    if (f.predicted) add(picture.curves["predicted, best"], f.bytes, *f.predicted);
  }
  std::vector<std::pair<std::string, std::string>> found;
  for (const auto& [place, picture] : by_place) {
    found.emplace_back(fmt::format("{}-root{}.svg", name(place.first), place.second), drawn_as_svg(script(picture)));
  }
  return found;
}

}  // namespace tombolo::benchmarking
