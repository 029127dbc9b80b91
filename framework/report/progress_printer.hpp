#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <string>

namespace tombolo {

/// Time left of equal parts of work, from its construction on. Real seconds, in a simulation too.
class WorkLeft {
 public:
  WorkLeft() : begin_(std::chrono::steady_clock::now()) {}
  /// ", 12 min left"; empty before the first part is done.
  std::string in_words(double done, double left) const;

 private:
  std::chrono::steady_clock::time_point begin_;
};

/// Says on stderr what is being done: a line for each part of the work, and every few seconds of it one that says how
/// far it is; or, of a run that is over soon, one line at the end of a terminal that the next one replaces, where a
/// file or a pipe gets nothing. Real seconds, in a simulation too.
class ProgressPrinter {
 public:
  enum class Style { lines, one_line };

  /// `here`: whether this rank says anything. `stamp`: what every line begins with, if anything.
  explicit ProgressPrinter(bool here, Style style = Style::lines, std::function<std::string()> stamp = {});
  /// Clears the one line, so that later output starts on an empty line.
  ~ProgressPrinter();
  ProgressPrinter(const ProgressPrinter&) = delete;
  ProgressPrinter& operator=(const ProgressPrinter&) = delete;

  /// "timing collectives in c1"; an empty part clears the one line.
  void begin(const std::string& part);
  /// "timing collectives in c1 (2 of 8)"
  void begin(const std::string& part, std::size_t number, std::size_t of);
  /// "timing collectives in c1 (2 of 8): 17 of 120", if the last line is some seconds old, or `now`
  void at(const std::string& how_far, bool now = false);
  void at(std::size_t done, std::size_t of);

  /// Whether anything will be seen, so that the words need not be made if not.
  bool shown() const { return shown_; }

 private:
  void print(const std::string& line);

  Style style_;
  bool shown_;
  std::function<std::string()> stamp_;
  std::string part_;
  std::chrono::steady_clock::time_point last_;
};

}  // namespace tombolo
