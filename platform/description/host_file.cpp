#include <charconv>
#include <system_error>

#include <fmt/format.h>

#include <tombolo/platform/description/host_file.hpp>
#include <tombolo/platform/system/posix_file.hpp>
#include <tombolo/units.hpp>

namespace tombolo {

namespace {

constexpr std::size_t most_ranks = 1 << 20;

std::string_view trimmed(std::string_view line) {
  constexpr std::string_view spaces = " \t\r";
  const auto first = line.find_first_not_of(spaces);
  if (first == line.npos) return {};
  return line.substr(first, line.find_last_not_of(spaces) - first + 1);
}

// Returns the number after the colon; 0 if there is none or it is invalid.
std::size_t repeats(std::string_view text) {
  std::size_t count = 0;
  const char* const end = text.data() + text.size();
  const auto [at, error] = std::from_chars(text.data(), end, count);
  return error == std::errc{} && at == end ? count : 0;
}

}  // namespace

std::vector<std::string> parse_host_file(std::string_view text, const std::string& name) {
  std::vector<std::string> hosts;
  for (std::size_t number = 1; !text.empty(); ++number) {
    const auto end = text.find('\n');
    const std::string_view line = trimmed(text.substr(0, end));
    text.remove_prefix(end == text.npos ? text.size() : end + 1);
    if (line.empty()) continue;
    const auto colon = line.find(':');
    const std::string_view host = line.substr(0, colon);
    const std::size_t count = colon == line.npos ? 1 : repeats(line.substr(colon + 1));
    if (host.empty() || host.find_first_of(" \t") != host.npos || has_control(host) || count == 0) {
      throw Error(fmt::format("{}, line {}: {} is not a host", name, number, tombolo::quoted(line)),
                  "write NAME or NAME:RANKS");
    }
    if (count > most_ranks - hosts.size()) {
      throw Error(fmt::format("{}, line {}: more than {} ranks", name, number, most_ranks), "list fewer");
    }
    hosts.insert(hosts.end(), count, std::string(host));
  }
  if (hosts.empty()) throw Error(fmt::format("{} names no host", name), "write one on each line");
  return hosts;
}

}  // namespace tombolo
