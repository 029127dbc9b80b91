#include "option_group.hpp"

#include <charconv>
#include <cmath>
#include <optional>
#include <set>
#include <string_view>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include <tombolo/units.hpp>

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

CLI::Validator taken_by(std::function<void(const std::string&)> read) {
  return CLI::Validator(
      [read = std::move(read)](const std::string& words) -> std::string {
        try {
          read(words);
        } catch (const Error& error) {
          return error.what();
        }
        return {};
      },
      "");
}

std::vector<std::string> split(const std::string& words, char between) {
  std::vector<std::string> parts(1);
  for (const char c : words) {
    if (c == between) {
      parts.emplace_back();
    } else {
      parts.back() += c;
    }
  }
  return parts;
}

namespace {

constexpr const char* range_remedy = "write sizes, as 1K,64K,1M, or LOW:HIGH:xFACTOR, as 64:4M:x4";

Bytes size_of(std::string word, const std::string& words) {
  const std::string asked = word;
  const bool is_size = size_in_bytes()(word).empty();  // turns the word into digits
  if (!is_size && asked.empty()) throw Error(fmt::format("'{}' lacks a size", words), range_remedy);
  if (!is_size) throw Error(fmt::format("'{}' in '{}' is no size below 2^63", asked, words), range_remedy);
  return std::stoll(word);
}

CLI::Validator named_file(const char* name) {
  return {[](std::string& text) { return text.empty() ? "'' is not the name of a file" : std::string(); }, "", name};
}

std::vector<Bytes> size_range(const std::string& range, const std::string& words) {
  const std::vector<std::string> parts = split(range, ':');
  if (parts.size() > 3) throw Error(fmt::format("'{}' is no range of sizes", words), range_remedy);
  const Bytes low = size_of(parts[0], words);
  const Bytes high = parts.size() > 1 ? size_of(parts[1], words) : low;
  std::int64_t factor = 2;
  if (parts.size() == 3) {
    std::string digits = parts[2].starts_with('x') ? parts[2].substr(1) : "";
    if (!whole_number(2, 1 << 20)(digits).empty()) {
      throw Error(fmt::format("'{}' is no factor from x2 to x1048576", parts[2]), range_remedy);
    }
    factor = std::stoll(digits);
  }
  if (low > high) throw Error(fmt::format("'{}' begins above its end", words), range_remedy);
  std::vector<Bytes> sizes{low};
  while (sizes.back() <= high / factor && sizes.back() > 0) sizes.push_back(sizes.back() * factor);
  if (low == 0 && high > 0) throw Error(fmt::format("'{}' never leaves 0", words), range_remedy);
  return sizes;
}

}  // namespace

std::vector<Bytes> sizes_in(const std::string& words) {
  std::set<Bytes> sizes;
  for (const std::string& range : split(words, ',')) {
    for (const Bytes size : size_range(range, words)) sizes.insert(size);
  }
  return {sizes.begin(), sizes.end()};
}

CLI::Option* OptionGroup::input(const std::string& name, std::string& path, const std::string& help,
                                const std::string& type) {
  return value(name, path, help, type)->transform(named_file(read_file));
}

CLI::Option* OptionGroup::output(const std::string& name, std::string& path, const std::string& help,
                                 const std::string& type) {
  return value(name, path, help, type)->transform(named_file(written_file));
}

CLI::Option* OptionGroup::sizes(std::string& bytes, const std::string& help) {
  return value("--bytes", bytes, help, "N,...|LOW:HIGH:xF")->capture_default_str()->check(taken_by(sizes_in));
}

CLI::Option* OptionGroup::platform(std::string& path, const std::string& purpose) {
  return input("--platform", path, purpose + ", else some seconds of measuring", "FILE.json");
}

CLI::Option* OptionGroup::model(std::string& name, const std::string& otherwise) {
  return value("--model", name, "Predict by this one, which tombolo models has estimated; default: " + otherwise,
               "NAME");
}

CLI::Option* OptionGroup::tuning(std::string& path) {
  return input("--tuning", path, "Keep to what tombolo tune decided; default: the file that TOMBOLO_TUNING names",
               "FILE.json");
}

CLI::Option* OptionGroup::threads(int& threads) {
  return integer("--threads", threads,
                 "BLAS threads per rank; default: the cores of each host, shared out among its ranks", 1);
}

CLI::Option* OptionGroup::format(Format& format, const std::string& help) {
  return choice<Format>("--format", format, {{"text", Format::text}, {"csv", Format::csv}, {"json", Format::json}},
                        help, "text|csv|json");
}

}  // namespace tombolo
