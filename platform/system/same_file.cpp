#include <system_error>

#include <tombolo/platform/system/same_file.hpp>

namespace tombolo {

namespace fs = std::filesystem;

namespace {

/// Returns the canonical path that a file of this path has or would have; empty if its folder is missing.
fs::path only_name(const fs::path& path) {
  const fs::path target = followed(path.has_filename() ? path : path.parent_path());
  std::error_code error;
  const fs::path folder = fs::canonical(target.has_parent_path() ? target.parent_path() : ".", error);
  return error ? fs::path() : folder / target.filename();
}

}  // namespace

fs::path followed(fs::path path) {
  constexpr int most_links = 40;  // as in Linux
  std::error_code error;
  for (int links = 0; links < most_links && fs::is_symlink(fs::symlink_status(path, error)); ++links) {
    const fs::path to = fs::read_symlink(path, error);
    if (error) break;
    path.replace_filename(to);
  }
  return path;
}

bool is_same_file(const fs::path& one, const fs::path& other) {
  if (one.empty() || other.empty()) return false;
  std::error_code error;
  if (fs::exists(one, error) && fs::exists(other, error)) return fs::equivalent(one, other, error);
  const fs::path name = only_name(one);
  return !name.empty() && name == only_name(other);
}

}  // namespace tombolo
