#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include <tombolo/platform/platform.hpp>

namespace tombolo {

/// A platform as JSON text; docs/platform-file.md describes it. Reading it gives the same platform again, but for white
/// space in sections. Errors: check_platform's, and text that is not UTF-8.
std::string to_json(const Platform& platform);

/// The platform that a text describes. It may list processors, hosts, links, children and ranks in any order. Errors,
/// which begin with `name`: no JSON, no platform file, one of a newer version, anything missing or of a wrong type,
/// check_platform's.
Platform platform_from_json(std::string_view text, const std::string& name);

/// Errors: as above, and of reading a file.
Platform read_platform(const std::filesystem::path& path);

/// Writes the whole file or nothing. Errors: to_json's and AtomicFile's.
void write_platform(const std::filesystem::path& path, const Platform& platform);

}  // namespace tombolo
