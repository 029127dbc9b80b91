#include "progress.hpp"

#include <fmt/format.h>

#include <tombolo/platform/system/standard_streams.hpp>

namespace tombolo {

void ProgressLines::begin(const std::string& part, std::size_t number, std::size_t of) {
  part_ = of > 1 ? fmt::format("{} ({} of {})", part, number, of) : part;
  say(part_ + "\n");
  last_ = std::chrono::steady_clock::now();
}

void ProgressLines::at(std::size_t done, std::size_t of) {
  if (is_time()) say(fmt::format("{}: {} of {}\n", part_, done, of));
}

void ProgressLines::made(std::int64_t number, const std::string& of_what) {
  if (is_time()) say(fmt::format("{}: {} {}\n", part_, number, of_what));
}

bool ProgressLines::is_time() {
  constexpr std::chrono::seconds between_lines(5);
  const auto now = std::chrono::steady_clock::now();
  if (now - last_ < between_lines) return false;
  last_ = now;
  return true;
}

}  // namespace tombolo
