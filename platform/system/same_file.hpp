#pragma once

#include <filesystem>

namespace tombolo {

/// Returns the path with symbolic links at its end followed, dangling links included: the path at which a written file
/// will be created. Returns the path unchanged if links cannot be followed.
std::filesystem::path followed(std::filesystem::path path);

/// Returns true if the two paths name one file, through any links, or would do so once the file exists. False if a path
/// cannot be followed, and for an empty path.
bool is_same_file(const std::filesystem::path& one, const std::filesystem::path& other);

}  // namespace tombolo
