#include <utility>

#include <fmt/format.h>
#include <unistd.h>

#include <tombolo/framework/report/progress_printer.hpp>
#include <tombolo/platform/system/standard_streams.hpp>

namespace tombolo {

namespace {

// Returns a time for people: "40 s", "12 min", "3.5 h".
std::string time_in_words(double seconds) {
  constexpr double minute = 60;
  constexpr double hour = 60 * minute;
  if (seconds < 2 * minute) return fmt::format("{:.0f} s", seconds);
  if (seconds < 2 * hour) return fmt::format("{:.0f} min", seconds / minute);
  return fmt::format("{:.1f} h", seconds / hour);
}

}  // namespace

std::string WorkLeft::in_words(double done, double left) const {
  if (done <= 0) return "";
  const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - begin_;
  return fmt::format(", {} left", time_in_words(taken.count() / done * left));
}

ProgressPrinter::ProgressPrinter(bool here, Style style, std::function<std::string()> stamp)
    : style_(style), shown_(here && (style == Style::lines || isatty(STDERR_FILENO) != 0)), stamp_(std::move(stamp)) {}

ProgressPrinter::~ProgressPrinter() {
  if (style_ == Style::one_line) begin("");
}

void ProgressPrinter::begin(const std::string& part) {
  part_ = part;
  print(part_);
}

void ProgressPrinter::begin(const std::string& part, std::size_t number, std::size_t of) {
  begin(of > 1 ? fmt::format("{} ({} of {})", part, number, of) : part);
}

void ProgressPrinter::at(const std::string& how_far, bool now) {
  using std::chrono::milliseconds;
  const milliseconds between_lines(style_ == Style::lines ? 5000 : 200);
  now = now || std::chrono::steady_clock::now() - last_ >= between_lines;
  if (now) print(fmt::format("{}: {}", part_, how_far));
}

void ProgressPrinter::at(std::size_t done, std::size_t of) {
  if (shown_) at(fmt::format("{} of {}", done, of));
}

void ProgressPrinter::print(const std::string& line) {
  if (!shown_) return;
  last_ = std::chrono::steady_clock::now();
  const std::string text = (stamp_ ? stamp_() : "") + line;
  say(style_ == Style::lines ? text + "\n" : "\r\033[K" + text);
}

}  // namespace tombolo
