#include "progress.hpp"

#include <cstdio>

#include <fmt/format.h>

namespace tombolo {

void ProgressLines::begin(const std::string& part, std::size_t number, std::size_t of) {
  part_ = of > 1 ? fmt::format("{} ({} of {})", part, number, of) : part;
  fmt::print(stderr, "{}\n", part_);
  last_ = std::chrono::steady_clock::now();
}

void ProgressLines::at(std::size_t done, std::size_t of) {
  constexpr std::chrono::seconds between_lines(5);
  const auto now = std::chrono::steady_clock::now();
  if (now - last_ < between_lines) return;
  fmt::print(stderr, "{}: {} of {}\n", part_, done, of);
  last_ = now;
}

}  // namespace tombolo
