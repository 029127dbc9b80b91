#include <algorithm>
#include <string>

#include <fmt/format.h>

#include <tombolo/framework/report/gnuplot.hpp>
#include <tombolo/platform/system/child_process.hpp>
#include <tombolo/platform/system/posix_file.hpp>
#include <tombolo/units.hpp>

namespace tombolo {

namespace {

std::string first_line(const std::string& text) {
  const auto begin = text.find_first_not_of(" \n");
  if (begin == text.npos) return "nothing";
  return text.substr(begin, text.find('\n', begin) - begin);
}

}  // namespace

std::string in_quotes(const std::string& text) {
  std::string result = "'";
  for (const char c : printable(text)) result += c == '\'' ? std::string("''") : std::string(1, c);
  return result + "'";
}

std::string as_tic(const std::string& text) {
  std::string result;
  for (const char c : text) result += c == '%' ? std::string("%%") : std::string(1, c);
  return in_quotes(result);
}

std::string svg_terminal(std::size_t width, std::size_t height) {
  return fmt::format(
      "set encoding utf8\n"
      "set terminal svg size {},{} dynamic noenhanced background rgb 'white' font 'sans-serif,12'\n",
      width, height);
}

std::string drawn_as_svg(const std::string& script) {
  const Ended ended = run_program(
      {"gnuplot", "-d"}, script, "install gnuplot (Debian: gnuplot-nox; scripts/setup does), or choose another format");
  if (ended.status != 0 || ended.out.find("</svg>") == std::string::npos) {
    throw Error(
        fmt::format("gnuplot ended with status {} and said {}", ended.status, tombolo::quoted(first_line(ended.err))),
        "check that gnuplot draws SVG (gnuplot-nox does)");
  }
  return ended.out;
}

std::string drawn_curves(const std::string& title, const std::vector<Diagram>& diagrams, const SizeAxis& axis) {
  const std::size_t columns = std::min<std::size_t>(diagrams.size(), 2);
  const std::size_t rows = (diagrams.size() + 1) / 2;
  const bool one = diagrams.size() == 1;
  std::string data;
  std::string drawing =
      one ? "" : fmt::format("set multiplot layout {},{} title {}\n", rows, columns, in_quotes(title));
  int number = 0;
  for (const auto& [name, curves] : diagrams) {
    std::string plots;
    for (const Curve& curve : curves) {
      std::string points;
      bool intervals = false;
      for (const CurvePoint& point : curve.points) {
        if (point.bytes <= 0 || point.time <= 0) continue;
        const bool known = point.low > 0 && point.high > 0;
        intervals = intervals || known;
        points += fmt::format("{} {:.9g} {:.9g} {:.9g}\n", point.bytes, seconds(point.time),
                              seconds(known ? point.low : point.time), seconds(known ? point.high : point.time));
      }
      if (points.empty()) continue;
      data += fmt::format("$d{} << end\n{}end\n", number, points);
      const char* const between = plots.empty() ? "plot " : ", ";
      if (intervals) plots += fmt::format("{}$d{} with yerrorbars pt -1 lw 1 lc 'gray40' notitle", between, number);
      plots += fmt::format("{}$d{} with {} title {}", plots.empty() ? "plot " : ", ", number, curve.style,
                           in_quotes(curve.title));
      ++number;
    }
    drawing += fmt::format("set title {}\n{}\n", in_quotes(one ? title : name), plots);
  }
  return drawn_as_svg(svg_terminal(one ? 900 : 1100, one ? 600 : 380 * rows + 40) +
                      fmt::format("set logscale xy\nset grid\nset xlabel {}\nset ylabel 'seconds'\n"
                                  "set format x {}\nset format y '%.0s %cs'\n",
                                  in_quotes(axis.label), in_quotes(axis.format)) +
                      (one ? "set key outside right top\n" : "set key below horizontal\n") + data + drawing);
}

}  // namespace tombolo
