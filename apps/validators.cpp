#include "validators.hpp"

#include <charconv>
#include <cmath>
#include <optional>
#include <string_view>
#include <system_error>
#include <utility>

#include <fmt/format.h>

namespace tombolo {

namespace {

template <class T>
std::optional<T> number(std::string_view text) {
  T value{};
  const char* const end = text.data() + text.size();
  const auto [at, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc{} || at != end) return std::nullopt;
  return value;
}

/// Digits, or a decimal number that is whole, such as 1.5e6.
std::optional<std::int64_t> whole(std::string_view text) {
  if (const auto exact = number<std::int64_t>(text)) return exact;
  const auto value = number<double>(text);
  constexpr double beyond = 0x1p63;
  if (!value || std::floor(*value) != *value || !(std::abs(*value) < beyond)) return std::nullopt;
  return static_cast<std::int64_t>(*value);
}

/// The number of bytes that a unit stands for: none, B, K, KB, KiB, ...
std::optional<std::int64_t> unit(std::string_view text) {
  if (text.empty() || text == "B" || text == "b") return 1;
  constexpr std::string_view prefixes = "KMGTPkmgtp";
  const auto place = prefixes.find(text.front());
  text.remove_prefix(1);
  const bool ends_well = text.empty() || text == "B" || text == "b" || text == "iB" || text == "ib";
  if (place == prefixes.npos || !ends_well) return std::nullopt;
  return std::int64_t{1} << (10 * (place % 5 + 1));
}

std::optional<std::int64_t> whole_bytes(std::string_view text) {
  const auto digits = text.find_last_of("0123456789");
  if (digits == text.npos) return std::nullopt;
  const auto count = whole(text.substr(0, digits + 1));
  const auto each = unit(text.substr(digits + 1));
  std::int64_t bytes = 0;
  if (!count || *count < 0 || !each || __builtin_mul_overflow(*count, *each, &bytes)) return std::nullopt;
  return bytes;
}

}  // namespace

CLI::Validator whole_number(std::int64_t least, std::int64_t most) {
  const auto check = [least, most](std::string& text) {
    const auto value = whole(text);
    if (!value || *value < least || *value > most) {
      return fmt::format("'{}' is not a whole number from {} to {}", text, least, most);
    }
    text = std::to_string(*value);
    return std::string();
  };
  return {check, ""};
}

CLI::Validator number_within(double least, double most) {
  const auto check = [least, most](const std::string& text) {
    const auto value = number<double>(text);
    if (value && *value >= least && *value <= most) return std::string();  // which nan is not
    return fmt::format("'{}' is not a number from {:g} to {:g}", text, least, most);
  };
  return {check, ""};
}

CLI::Validator size_in_bytes(std::int64_t least) {
  const auto check = [least](std::string& text) {
    const auto bytes = whole_bytes(text);
    if (!bytes) return fmt::format("'{}' is not a size such as 1000, 64K or 1M, below 2^63 bytes", text);
    if (*bytes < least) return fmt::format("'{}' is less than {} B", text, least);
    text = std::to_string(*bytes);
    return std::string();
  };
  return {check, ""};
}

CLI::Validator one_of(std::vector<std::string> names) {
  return CLI::Validator(
      [names = std::move(names)](const std::string& word) {
        for (const std::string& name : names) {
          if (name == word) return std::string();
        }
        return "'" + word + "' is not one of " + listed(names);
      },
      "");
}

}  // namespace tombolo
