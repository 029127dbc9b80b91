#include "platforms/figures.hpp"

#include <fmt/format.h>

#include <tombolo/platform/readable.hpp>

namespace tombolo::showing {

namespace {

// Leaves out an error that the digits do not show.
std::string with_error(const std::string& text, const std::string& error, const Measured& value) {
  constexpr std::int64_t digits = 10'000;
  return value.error > value.value / digits ? fmt::format("{} +- {}", text, error) : text;
}

}  // namespace

std::string in_thousands(std::int64_t value, const std::string& unit) {
  if (value <= 0) return "-";
  constexpr const char* prefixes[] = {"", "k", "M", "G", "T", "P"};
  auto scaled = static_cast<double>(value);
  std::size_t prefix = 0;
  constexpr double rounds_up = 999.95;
  for (; scaled >= rounds_up && prefix + 1 < std::size(prefixes); ++prefix) scaled /= 1000;
  return fmt::format("{:.4g} {}{}", scaled, prefixes[prefix], unit);
}

std::string rate(BytesPerSecond value) {
  return in_thousands(value, "B/s");
}

std::string speed(FlopsPerSecond value) {
  return in_thousands(value, "flop/s");
}

std::string latency(const Measured& value) {
  return with_error(readable(value.value), readable(value.error), value);
}

std::string rate(const Measured& value) {
  return with_error(rate(value.value), rate(value.error), value);
}

std::string folded(const std::vector<std::string>& names, const std::vector<std::size_t>& places) {
  constexpr std::size_t most_runs = 4;
  std::string text;
  std::size_t shown = 0;
  std::size_t runs = 0;
  while (shown < places.size() && runs < most_runs) {
    std::size_t end = shown + 1;
    while (end < places.size() && places[end] == places[end - 1] + 1) ++end;
    const std::string& first = names[places[shown]];
    const std::string& last = names[places[end - 1]];
    const char* const between = end - shown == 2 ? ", " : " ... ";
    text += (text.empty() ? "" : ", ") + first + (end - shown == 1 ? "" : between + last);
    shown = end;
    ++runs;
  }
  if (shown < places.size()) text += fmt::format(" and {} more", places.size() - shown);
  return text;
}

}  // namespace tombolo::showing
