#include <algorithm>
#include <charconv>
#include <cmath>
#include <span>
#include <string>
#include <system_error>

#include <tombolo/platform/simgrid/figures.hpp>

namespace tombolo::simgrid {

namespace {

struct Unit {
  std::string_view name;
  double factor;
};

constexpr double largest_rate = 1e18;

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view spaces = " \t\r\n";
  const auto first = text.find_first_not_of(spaces);
  if (first == text.npos) return {};
  return text.substr(first, text.find_last_not_of(spaces) - first + 1);
}

std::optional<double> factor_of(std::string_view name, std::span<const Unit> units) {
  const auto found = std::find_if(units.begin(), units.end(), [&](const Unit& unit) { return unit.name == name; });
  if (found == units.end()) return std::nullopt;
  return found->factor;
}

// Returns the factor of a unit's prefix: k, M, ... or Ki, Mi, ..., spelled out (kilo, mega) if `words`.
std::optional<double> prefix_factor(std::string_view prefix, bool words) {
  constexpr Unit short_names[] = {{"", 1},        {"k", 1e3},     {"K", 1e3},    {"M", 1e6},     {"G", 1e9},
                                  {"T", 1e12},    {"P", 1e15},    {"E", 1e18},   {"Ki", 0x1p10}, {"Mi", 0x1p20},
                                  {"Gi", 0x1p30}, {"Ti", 0x1p40}, {"Pi", 0x1p50}};
  constexpr Unit long_names[] = {{"", 1}, {"kilo", 1e3}, {"mega", 1e6}, {"giga", 1e9}, {"tera", 1e12}, {"peta", 1e15}};
  return words ? factor_of(prefix, long_names) : factor_of(prefix, short_names);
}

std::optional<double> with_prefix(std::string_view unit, std::string_view name, double factor, bool words) {
  if (!unit.ends_with(name)) return std::nullopt;
  const auto prefix = prefix_factor(unit.substr(0, unit.size() - name.size()), words);
  if (!prefix) return std::nullopt;
  return *prefix * factor;
}

// Returns the number times factor(unit).
template <class Factor>
std::optional<double> figure(std::string_view text, Factor factor) {
  text = trimmed(text);
  double number = 0;
  const char* const end = text.data() + text.size();
  const auto [at, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc{} || !std::isfinite(number) || number < 0) return std::nullopt;
  const auto each = factor(trimmed({at, static_cast<std::size_t>(end - at)}));
  if (!each) return std::nullopt;
  return number * *each;
}

// Rounds to at least 1, since a rate of 0 would mean unknown.
std::optional<std::int64_t> as_rate(std::optional<double> value) {
  if (!value || !(*value > 0) || !(*value <= largest_rate)) return std::nullopt;
  return std::max<std::int64_t>(std::llround(*value), 1);
}

std::optional<std::int64_t> whole(std::string_view text) {
  constexpr std::int64_t most = std::int64_t{1} << 40;
  text = trimmed(text);
  std::int64_t value = 0;
  const char* const end = text.data() + text.size();
  const auto [at, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc{} || at != end || value < 0 || value > most) return std::nullopt;
  return value;
}

}  // namespace

std::optional<BytesPerSecond> bandwidth(std::string_view text) {
  return as_rate(figure(text, [](std::string_view unit) -> std::optional<double> {
    if (unit.empty()) return 1;
    const auto bytes = with_prefix(unit, "Bps", 1, false);
    return bytes ? bytes : with_prefix(unit, "bps", 0.125, false);
  }));
}

std::optional<Picoseconds> latency(std::string_view text) {
  constexpr Unit units[] = {{"", 1},  {"w", 604800}, {"d", 86400}, {"h", 3600},  {"m", 60},
                            {"s", 1}, {"ms", 1e-3},  {"us", 1e-6}, {"ns", 1e-9}, {"ps", 1e-12}};
  const auto value = figure(text, [&](std::string_view unit) { return factor_of(unit, units); });
  if (!value || !(*value <= seconds(longest_latency))) return std::nullopt;
  return std::llround(*value * static_cast<double>(picoseconds_per_second));
}

std::optional<FlopsPerSecond> speed(std::string_view text) {
  return as_rate(figure(text, [](std::string_view unit) -> std::optional<double> {
    if (unit.empty()) return 1;
    if (unit.ends_with("flops")) {
      const auto words = with_prefix(unit, "flops", 1, true);
      return words ? words : with_prefix(unit, "flops", 1, false);
    }
    return with_prefix(unit, "f", 1, false);
  }));
}

std::optional<std::vector<std::int64_t>> radical(std::string_view text, std::size_t most) {
  std::vector<std::int64_t> numbers;
  while (true) {
    const auto comma = text.find(',');
    const std::string_view part = text.substr(0, comma);
    const auto dash = part.find('-');
    const auto first = whole(part.substr(0, dash));
    const auto last = dash == part.npos ? first : whole(part.substr(dash + 1));
    if (!first || !last || *last < *first) return std::nullopt;
    if (static_cast<std::uint64_t>(*last - *first) >= most - numbers.size()) return std::nullopt;
    for (std::int64_t i = *first; i <= *last; ++i) numbers.push_back(i);
    if (comma == text.npos) return numbers;
    text.remove_prefix(comma + 1);
  }
}

}  // namespace tombolo::simgrid
