#include "load_platform.hpp"

#include <string_view>
#include <vector>

#include <fmt/format.h>

#include <tombolo/platform/description/host_file.hpp>
#include <tombolo/platform/file/platform_file.hpp>
#include <tombolo/platform/simgrid/simgrid_xml.hpp>
#include <tombolo/platform/system/posix_file.hpp>
#include <tombolo/units.hpp>

namespace tombolo {

namespace {

constexpr Bytes largest = Bytes{1} << 30;

std::string content(const std::string& path) {
  return read_text(path, largest, "a platform");
}

char first_character(std::string_view text) {
  constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";
  if (text.starts_with(byte_order_mark)) text.remove_prefix(byte_order_mark.size());
  const auto first = text.find_first_not_of(" \t\r\n");
  return first == text.npos ? '\0' : text[first];
}

}  // namespace

Platform load_platform(const std::string& file, const std::string& hosts) {
  const std::string text = content(file);
  const std::string name = printable(file);
  const char first = first_character(text);
  if (first == '<') {
    std::vector<std::string> by_rank;
    if (!hosts.empty()) by_rank = parse_host_file(content(hosts), printable(hosts));
    return platform_from_simgrid(text, name, by_rank);
  }
  if (first != '{') {
    throw Error(fmt::format("{} is neither a platform file nor a SimGrid platform description", name),
                "give one of these");
  }
  if (!hosts.empty()) {
    throw Error(fmt::format("--hosts {} for a platform file, which knows its hosts", printable(hosts)), "leave it out");
  }
  return platform_from_json(text, name);
}

}  // namespace tombolo
