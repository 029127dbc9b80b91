#pragma once

#include <cstdlib>
#include <filesystem>

namespace tombolo::test {

/// Returns the folder of the project's sources: TOMBOLO_SOURCE, which ctest sets, else the current one. Not by
/// __FILE__, which is relative to a build folder.
inline std::filesystem::path source_folder() {
  const char* const folder = std::getenv("TOMBOLO_SOURCE");
  return folder != nullptr ? folder : ".";
}

}  // namespace tombolo::test
