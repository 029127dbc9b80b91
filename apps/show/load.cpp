#include "show/load.hpp"

#include <string_view>
#include <vector>

#include <fmt/format.h>

#include <tombolo/platform/error.hpp>
#include <tombolo/platform/host_file.hpp>
#include <tombolo/platform/platform_file.hpp>
#include <tombolo/platform/posix_file.hpp>
#include <tombolo/platform/simgrid_xml.hpp>

namespace tombolo::showing {

namespace {

std::string content(const std::string& path) {
  constexpr Bytes most = Bytes{1} << 30;
  const PosixFile file = PosixFile::open_to_read(path);
  const Bytes size = file.size();
  if (size > most) {
    throw Error(fmt::format("{} has {} bytes, more than a platform", printable(path), size), "check the path");
  }
  std::string text(static_cast<std::size_t>(size), '\0');
  file.read_at(text.data(), size, 0);
  return text;
}

char first_character(std::string_view text) {
  constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";
  if (text.starts_with(byte_order_mark)) text.remove_prefix(byte_order_mark.size());
  const auto first = text.find_first_not_of(" \t\r\n");
  return first == text.npos ? '\0' : text[first];
}

}  // namespace

Platform load(const Options& options) {
  const std::string text = content(options.file);
  const std::string name = printable(options.file);
  const char first = first_character(text);
  if (first == '<') {
    std::vector<std::string> hosts;
    if (!options.hosts.empty()) hosts = parse_host_file(content(options.hosts), printable(options.hosts));
    return platform_from_simgrid(text, name, hosts);
  }
  if (first != '{') {
    throw Error(fmt::format("{} is neither a platform file nor a SimGrid platform description", name),
                "give one of these");
  }
  if (!options.hosts.empty()) {
    throw Error(fmt::format("--hosts {} for a platform file, which knows its hosts", printable(options.hosts)),
                "leave it out");
  }
  return platform_from_json(text, name);
}

}  // namespace tombolo::showing
