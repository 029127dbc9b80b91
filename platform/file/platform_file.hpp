#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include <tombolo/platform.hpp>
#include <tombolo/units.hpp>

namespace tombolo {

/// Maximum file size in bytes, enough for the largest platform. A matrix given by mistake is refused before it fills
/// the memory.
constexpr Bytes largest_platform = Bytes{1} << 29;

/// The section with the speeds of kernels, the only one that has no effect on messages.
constexpr const char* kernels_section = "kernels";

/// Returns a platform as JSON text in the format of docs/platform-file.md. Reading the text gives the same platform,
/// except white space in sections. Throws the errors of check_platform, and Error for text that is not UTF-8.
std::string to_json(const Platform& platform);

/// Parses a platform. Processors, hosts, links, children and ranks may be in any order. Throws Error, with a message
/// that begins with `name`, for invalid JSON, another kind of file, a newer format version and missing or mistyped
/// members, and the errors of check_platform.
Platform platform_from_json(std::string_view text, const std::string& name);

/// Reads a platform file. Errors: as above, and those of reading a file.
Platform read_platform(const std::filesystem::path& path);

/// Writes a platform file completely or not at all. Errors: those of to_json and AtomicFile.
void write_platform(const std::filesystem::path& path, const Platform& platform);

}  // namespace tombolo
