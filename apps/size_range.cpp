#include "size_range.hpp"

#include <algorithm>
#include <cstdint>

#include <fmt/format.h>

#include <tombolo/platform/error.hpp>

#include "validators.hpp"

namespace tombolo {

namespace {

constexpr const char* remedy = "write LOW:HIGH:xFACTOR, as 64:4M:x4, or one size";

std::vector<std::string> split(const std::string& words) {
  std::vector<std::string> parts(1);
  for (const char c : words) {
    if (c == ':') {
      parts.emplace_back();
    } else {
      parts.back() += c;
    }
  }
  return parts;
}

Bytes size_of(std::string word, const std::string& words) {
  const std::string complaint = size_in_bytes()(word);  // turns the word into digits
  if (!complaint.empty()) throw Error(fmt::format("'{}' is no range of sizes: {}", words, complaint), remedy);
  return std::stoll(word);
}

}  // namespace

std::vector<Bytes> size_range(const std::string& words) {
  const std::vector<std::string> parts = split(words);
  if (parts.size() > 3) throw Error(fmt::format("'{}' is no range of sizes", words), remedy);
  const Bytes low = size_of(parts[0], words);
  const Bytes high = parts.size() > 1 ? size_of(parts[1], words) : low;
  std::int64_t factor = 2;
  if (parts.size() == 3) {
    std::string digits = parts[2].starts_with('x') ? parts[2].substr(1) : "";
    if (!whole_number(2, 1 << 20)(digits).empty()) {
      throw Error(fmt::format("'{}' is no factor from x2 to x1048576", parts[2]), remedy);
    }
    factor = std::stoll(digits);
  }
  if (low > high) throw Error(fmt::format("'{}' begins above its end", words), remedy);
  std::vector<Bytes> sizes{low};
  while (sizes.back() <= high / factor && sizes.back() > 0) sizes.push_back(sizes.back() * factor);
  if (low == 0 && high > 0) {
    throw Error(fmt::format("'{}' never leaves 0", words), remedy);
  }
  return sizes;
}

CLI::Validator is_size_range() {
  return CLI::Validator(
      [](std::string& words) -> std::string {
        try {
          size_range(words);
        } catch (const Error& error) {
          return error.what();
        }
        return {};
      },
      "");  // the option's type says what it looks like
}

}  // namespace tombolo
