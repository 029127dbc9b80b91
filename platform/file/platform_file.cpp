#include <tombolo/platform/file/platform_file.hpp>
#include <tombolo/platform/system/atomic_file.hpp>
#include <tombolo/platform/system/posix_file.hpp>

namespace tombolo {

Platform read_platform(const std::filesystem::path& path) {
  return platform_from_json(read_text(path, largest_platform, "a platform file"), printable(path));
}

void write_platform(const std::filesystem::path& path, const Platform& platform) {
  write_text(path, to_json(platform));
}

}  // namespace tombolo
