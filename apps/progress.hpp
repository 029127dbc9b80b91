#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>

namespace tombolo {

/// Says on stderr what is being done: a line for each part of the work, and every few seconds of it one that says how
/// far it is. Real seconds, in a simulation too.
class ProgressLines {
 public:
  /// "timing collectives in c1 (2 of 8)"
  void begin(const std::string& part, std::size_t number, std::size_t of);
  /// "timing collectives in c1 (2 of 8): 17 of 120"
  void at(std::size_t done, std::size_t of);
  /// "estimating plogp: 340 experiments", of which nobody knows how many there will be.
  void made(std::int64_t number, const std::string& of_what);

 private:
  bool is_time();

  std::string part_;
  std::chrono::steady_clock::time_point last_;
};

}  // namespace tombolo
