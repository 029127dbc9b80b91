#include <tombolo/platform/atomic_file.hpp>
#include <tombolo/platform/platform_file.hpp>
#include <tombolo/platform/posix_file.hpp>

namespace tombolo {

Platform read_platform(const std::filesystem::path& path) {
  // Room for the largest platform; a matrix given by mistake is refused before it fills the memory.
  constexpr Bytes largest = Bytes{1} << 29;
  return platform_from_json(read_text(path, largest, "a platform file"), printable(path));
}

void write_platform(const std::filesystem::path& path, const Platform& platform) {
  write_text(path, to_json(platform));
}

}  // namespace tombolo
