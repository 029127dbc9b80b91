#include <cerrno>
#include <cstdlib>
#include <exception>

#include <fmt/format.h>
#include <sys/stat.h>

#include <tombolo/platform/platform_cache.hpp>
#include <tombolo/platform/platform_check.hpp>
#include <tombolo/platform/platform_file.hpp>
#include <tombolo/platform/posix_file.hpp>
#include <tombolo/platform/stable_hash.hpp>

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
  return hash.text() + ".json";
}

fs::path environment(const char* name) {
  const char* const value = std::getenv(name);
  return value == nullptr ? fs::path() : fs::path(value);
}

fs::path cache_folder() {
  if (fs::path own = environment("TOMBOLO_CACHE"); !own.empty()) return own;
  // The XDG base directory specification: one that is not absolute is to be ignored.
  if (const fs::path caches = environment("XDG_CACHE_HOME"); caches.is_absolute()) return caches / "tombolo";
  if (const fs::path home = environment("HOME"); home.is_absolute()) return home / ".cache" / "tombolo";
  return {};
}

// As mkdir -p -m 700, for all of them.
bool make_folders(const fs::path& folder) {
  if (folder.empty() || ::mkdir(folder.c_str(), 0700) == 0) return true;
  if (errno == EEXIST) return true;  // should it be no folder, writing will fail
  return errno == ENOENT && folder.has_relative_path() && make_folders(folder.parent_path()) &&
         (::mkdir(folder.c_str(), 0700) == 0 || errno == EEXIST);
}

}  // namespace

std::optional<fs::path> cache_file(const CacheKey& key) {
  const fs::path folder = cache_folder();
  if (folder.empty()) return std::nullopt;
  return folder / file_name(key);
}

// What is kept only saves time: whatever goes wrong here, a discovery makes good.
std::optional<Platform> find_cached(const CacheKey& key) {
  try {
    const std::optional<fs::path> file = cache_file(key);
    if (!file) return std::nullopt;
    Platform platform = read_platform(*file);
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
    write_platform(*file, platform);
    return true;
  } catch (const std::exception&) {
    return false;
  }
}

}  // namespace tombolo
