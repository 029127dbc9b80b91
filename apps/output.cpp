#include "output.hpp"

#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <system_error>

#include <tombolo/platform/system/atomic_file.hpp>
#include <tombolo/platform/system/posix_file.hpp>
#include <tombolo/session.hpp>
#include <tombolo/units.hpp>

namespace tombolo {

void print(Session& session, std::string_view text) {
  agree(session.communicator(), [&] {
    if (session.rank() != 0) return;
    const bool complete = std::fwrite(text.data(), 1, text.size(), stdout) == text.size() && std::fflush(stdout) == 0;
    if (complete) return;
    throw Error(fmt::format("cannot write to the standard output: {}", std::generic_category().message(errno)),
                "send it to a place that has room");
  });
}

void make_output_folder(const std::string& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (!error && !std::filesystem::is_directory(folder, error)) error = std::make_error_code(std::errc::not_a_directory);
  if (!error) return;
  throw Error(fmt::format("cannot make the folder {}: {}", printable(folder), error.message()), "choose another one");
}

void write_pictures(const std::string& folder, const Pictures& pictures) {
  for (const auto& [name, svg] : pictures) write_text(std::filesystem::path(folder) / name, svg);
}

std::string readable_bytes(Bytes bytes) {
  constexpr const char* units[] = {"", "K", "M", "G", "T", "P"};
  std::size_t unit = 0;
  while (bytes >= 1024 && bytes % 1024 == 0 && unit + 1 < std::size(units)) {
    bytes /= 1024;
    ++unit;
  }
  return fmt::format("{}{}", bytes, units[unit]);
}

std::string csv_field(std::string_view text) {
  if (text.find_first_of(",\"\n\r") == text.npos) return std::string(text);
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + "\"";
}

std::string csv_seconds(std::optional<Picoseconds> time) {
  return time ? fmt::format("{:.12g}", seconds(*time)) : "";
}

}  // namespace tombolo
