#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <tombolo/platform.hpp>

namespace tombolo {

/// The key of a cached discovery; runs with equal keys share an entry.
struct CacheKey {
  std::vector<std::string> hosts;  ///< by rank, as are places and models
  std::vector<Place> places;
  std::vector<std::string> models;  ///< of the processors
  std::string mpi;                  ///< library and version
  bool simulated = false;
  std::vector<std::string> levels = {};  ///< stated by the processes, by rank; empty if none states any
};

/// Returns the cache file of this key, existing or not: NAME.json in $TOMBOLO_CACHE, else $XDG_CACHE_HOME/tombolo, else
/// $HOME/.cache/tombolo. NAME does not depend on the architecture of the host. With a kind, the file beside it for what
/// runs learn of the platform: NAME.KIND.json. None if the environment names no folder.
std::optional<std::filesystem::path> cache_file(const CacheKey& key, const std::string& kind = "");

/// Returns the text of a cache file. None if the file is missing, unreadable, larger than `largest`, or not private to
/// this user: owned by another user, writable by others, or a link.
std::optional<std::string> read_cached(const std::filesystem::path& file, Bytes largest);
/// Writes a cache file in place of an older one. The created file and folders are private to the user; a link at the
/// file's path is replaced, not followed. Throws Error on failure: no space, no permission.
void write_cached(const std::filesystem::path& file, std::string_view text);

/// Returns the cached platform. None if read_cached() has none, or for other hosts.
std::optional<Platform> find_cached(const CacheKey& key);

/// Caches a platform for later runs and replaces an older one. Throws Error on failure, as write_cached() and for no
/// folder.
void keep_cached(const CacheKey& key, const Platform& platform);

}  // namespace tombolo
