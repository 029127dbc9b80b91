#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include <tombolo/platform/platform.hpp>

namespace tombolo {

/// What a discovery is kept by. Runs on the same hosts by rank, in the same places, find each other's.
struct CacheKey {
  std::vector<std::string> hosts;  ///< by rank, as are places and models
  std::vector<Place> places;
  std::vector<std::string> models;  ///< of the processors
  std::string mpi;                  ///< library and version
  bool simulated = false;
};

/// Where the platform of this key is kept, whether or not it is: NAME.json in $TOMBOLO_CACHE, else
/// $XDG_CACHE_HOME/tombolo, else $HOME/.cache/tombolo, with a name that hosts of all kinds agree on. None where the
/// environment names no folder.
std::optional<std::filesystem::path> cache_file(const CacheKey& key);

/// The platform that was kept; none where there is none, or it cannot be read, or was made for other hosts.
std::optional<Platform> find_cached(const CacheKey& key);

/// Keeps a platform for later runs, in place of an older one. Folders that it makes are the user's alone. False where
/// that cannot be: no folder, no room, no permission.
bool keep_cached(const CacheKey& key, const Platform& platform);

}  // namespace tombolo
