#include <cerrno>
#include <cstdlib>
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
#include <tombolo/platform/system/posix_file.hpp>
#include <tombolo/units.hpp>

namespace tombolo {

namespace fs = std::filesystem;

namespace {

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
  return hash.text() + ".json";
}

fs::path environment(const char* name) {
  const char* const value = std::getenv(name);
  return value == nullptr ? fs::path() : fs::path(value);
}

fs::path cache_folder() {
  if (fs::path own = environment("TOMBOLO_CACHE"); !own.empty()) return own;
  // The XDG base directory specification says to ignore a relative path.
  if (const fs::path caches = environment("XDG_CACHE_HOME"); caches.is_absolute()) return caches / "tombolo";
  if (const fs::path home = environment("HOME"); home.is_absolute()) return home / ".cache" / "tombolo";
  return {};
}

// Creates the folder and its missing parents with mode 0700.
bool make_folders(const fs::path& folder) {
  if (folder.empty() || ::mkdir(folder.c_str(), 0700) == 0) return true;
  if (errno == EEXIST) return true;  // if it is not a folder, the write will fail
  return errno == ENOENT && folder.has_relative_path() && make_folders(folder.parent_path()) &&
         (::mkdir(folder.c_str(), 0700) == 0 || errno == EEXIST);
}

// Reads a file only if it is the user's own: in a folder writable by others, a file may be another user's, or a link
// chosen by one.
std::string read_own(const fs::path& path) {
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  if (descriptor < 0) throw_file_error("open", path, errno);
  const PosixFile file(descriptor, path);
  struct stat status {};
  if (::fstat(descriptor, &status) != 0) throw_file_error("read", path, errno);
  const bool others_write = (status.st_mode & (S_IWGRP | S_IWOTH)) != 0;
  if (!S_ISREG(status.st_mode) || status.st_uid != ::geteuid() || others_write || status.st_size > largest_platform) {
    throw Error(printable(path) + " is not this user's alone", "remove it");
  }
  std::string text(static_cast<std::size_t>(status.st_size), '\0');
  file.read_at(text.data(), status.st_size, 0);
  return text;
}

}  // namespace

std::optional<fs::path> cache_file(const CacheKey& key) {
  const fs::path folder = cache_folder();
  if (folder.empty()) return std::nullopt;
  return folder / file_name(key);
}

// A cached platform only saves time: any error here leads to a new discovery.
std::optional<Platform> find_cached(const CacheKey& key) {
  try {
    const std::optional<fs::path> file = cache_file(key);
    if (!file) return std::nullopt;
    Platform platform = platform_from_json(read_own(*file), printable(*file));
    check_platform_fits(platform, key.hosts, printable(*file));
    return platform;
  } catch (const std::exception&) {
    return std::nullopt;
  }
}

bool keep_cached(const CacheKey& key, const Platform& platform) {
  try {
    const std::optional<fs::path> file = cache_file(key);
    if (!file || !make_folders(file->parent_path())) return false;
    write_text(*file, to_json(platform), AtomicFile::For::owner);
    return true;
  } catch (const std::exception&) {
    return false;
  }
}

}  // namespace tombolo
