#include <string>

#include <fmt/format.h>

#include <tombolo/framework/report/gnuplot.hpp>
#include <tombolo/platform/error.hpp>
#include <tombolo/platform/system/child_process.hpp>
#include <tombolo/platform/system/posix_file.hpp>

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

}  // namespace tombolo
