#include <fmt/format.h>

#include <tombolo/platform/atomic_file.hpp>
#include <tombolo/platform/error.hpp>
#include <tombolo/platform/platform_file.hpp>
#include <tombolo/platform/posix_file.hpp>

namespace tombolo {

Platform read_platform(const std::filesystem::path& path) {
  // Room for the largest platform; a matrix given by mistake is refused before it fills the memory.
  constexpr Bytes largest = Bytes{1} << 29;
  const PosixFile file = PosixFile::open_to_read(path);
  const Bytes size = file.size();
  if (size > largest) {
    throw Error(fmt::format("{} has {} bytes, too many for a platform file", printable(path), size),
                "give the path of a file that tombolo discover has written");
  }
  std::string text(static_cast<std::size_t>(size), '\0');
  file.read_at(text.data(), size, 0);
  return platform_from_json(text, printable(path));
}

void write_platform(const std::filesystem::path& path, const Platform& platform) {
  write_text(path, to_json(platform));
}

}  // namespace tombolo
