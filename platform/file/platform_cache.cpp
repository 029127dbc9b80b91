#include <cerrno>
#include <exception>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <tombolo/platform/file/platform_cache.hpp>
#include <tombolo/platform/file/platform_check.hpp>
#include <tombolo/platform/file/platform_file.hpp>
#include <tombolo/platform/stable_hash.hpp>
#include <tombolo/platform/system/atomic_file.hpp>
#include <tombolo/platform/system/environment.hpp>
#include <tombolo/platform/system/posix_file.hpp>
#include <tombolo/units.hpp>

namespace tombolo {

namespace fs = std::filesystem;

namespace {

// Without an extension.
std::string file_name(const CacheKey& key) {
  StableHash hash;
  hash.add_number(static_cast<int>(key.hosts.size()));
  for (const std::string& host : key.hosts) hash.add_text(host);
  for (const Place& place : key.places) {
    for (const int object : {place.package, place.numa, place.cache, place.core}) hash.add_number(object);
  }
  for (const std::string& model : key.models) hash.add_text(model);
  hash.add_text(key.mpi);
  hash.add_number(key.simulated ? 1 : 0);
  for (const std::string& level : key.levels) hash.add_text(level);
  return hash.text();
}

fs::path cache_folder() {
  if (const std::string own = environment("TOMBOLO_CACHE"); !own.empty()) return own;
  // The XDG base directory specification says to ignore a relative path.
  if (const fs::path caches(environment("XDG_CACHE_HOME")); caches.is_absolute()) return caches / "tombolo";
  if (const fs::path home(environment("HOME")); home.is_absolute()) return home / ".cache" / "tombolo";
  return {};
}

// Creates the folder and its missing parents with mode 0700.
void make_folders(const fs::path& folder) {
  if (folder.empty() || ::mkdir(folder.c_str(), 0700) == 0) return;
  if (errno == ENOENT && folder.has_parent_path() && folder.has_relative_path()) {
    make_folders(folder.parent_path());
    if (::mkdir(folder.c_str(), 0700) == 0) return;
  }
  if (errno != EEXIST) throw_file_error("make the folder", folder, errno);  // if it is no folder, the write will fail
}

}  // namespace

std::optional<fs::path> cache_file(const CacheKey& key, const std::string& kind) {
  const fs::path folder = cache_folder();
  if (folder.empty()) return std::nullopt;
  return folder / fmt::format("{}{}{}.json", file_name(key), kind.empty() ? "" : ".", kind);
}

// In a folder writable by others, a file may be another user's, or a link chosen by one.
std::optional<std::string> read_cached(const fs::path& path, Bytes largest) {
  try {
    const int descriptor = ::open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (descriptor < 0) return std::nullopt;
    const PosixFile file(descriptor, path);
    struct stat status {};
    if (::fstat(descriptor, &status) != 0) return std::nullopt;
    const bool others_write = (status.st_mode & (S_IWGRP | S_IWOTH)) != 0;
    if (!S_ISREG(status.st_mode) || status.st_uid != ::geteuid() || others_write || status.st_size > largest) {
      return std::nullopt;
    }
    std::string text(static_cast<std::size_t>(status.st_size), '\0');
    file.read_at(text.data(), status.st_size, 0);
    return text;
  } catch (const std::exception&) {
    return std::nullopt;
  }
}

void write_cached(const fs::path& file, std::string_view text) {
  make_folders(file.parent_path());
  write_text(file, text, AtomicFile::For::owner);
}

// A cached platform only saves time: any error here leads to a new discovery.
std::optional<Platform> find_cached(const CacheKey& key) {
  try {
    const std::optional<fs::path> file = cache_file(key);
    const std::optional<std::string> text = file ? read_cached(*file, largest_platform) : std::nullopt;
    if (!text) return std::nullopt;
    Platform platform = platform_from_json(*text, printable(*file));
    check_platform_fits(platform, key.hosts, printable(*file));
    return platform;
  } catch (const std::exception&) {
    return std::nullopt;
  }
}

void keep_cached(const CacheKey& key, const Platform& platform) {
  const std::optional<fs::path> file = cache_file(key);
  if (!file) throw Error("there is no folder to keep platforms in", "set TOMBOLO_CACHE to one, or HOME");
  write_cached(*file, to_json(platform));
}

}  // namespace tombolo
