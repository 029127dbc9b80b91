#include <cerrno>
#include <cstdint>
#include <string>
#include <system_error>

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <tombolo/platform/error.hpp>
#include <tombolo/platform/system/atomic_file.hpp>
#include <tombolo/platform/system/same_file.hpp>

namespace tombolo {

namespace fs = std::filesystem;

namespace {

fs::path folder_of(const fs::path& path) {
  return path.has_parent_path() ? path.parent_path() : fs::path(".");
}

/// Returns the target, with links followed unless the file is for the owner alone; throws Error if the path cannot be a
/// file.
fs::path checked(const fs::path& named, AtomicFile::For whom) {
  const fs::path target = whom == AtomicFile::For::all ? followed(named) : named;
  std::error_code error;
  const fs::file_status status = fs::status(target, error);
  if (error && status.type() != fs::file_type::not_found) throw_file_error("write", target, error.value());
  if (fs::is_directory(status) || !target.has_filename()) {
    throw Error(fmt::format("cannot write {}: it is not the name of a file but of a directory", printable(target)),
                "give the name of a file");
  }
  // A rename over a device such as /dev/null would replace the device.
  if (fs::exists(status) && !fs::is_regular_file(status)) {
    throw Error(fmt::format("cannot write {}: it is a pipe or a device", printable(target)),
                "give the name of a regular file");
  }
  if (!fs::exists(folder_of(target), error)) {
    const std::string folder = printable(folder_of(target));
    throw Error(fmt::format("cannot write {}: the folder {} does not exist", printable(target), folder),
                fmt::format("create it (mkdir -p {}) or give another path", folder));
  }
  if (fs::exists(status) && ::access(target.c_str(), W_OK) != 0) throw_file_error("write", target, errno);
  return target;
}

}  // namespace

AtomicFile::AtomicFile(const fs::path& target, Writers writers, For whom)
    : target_(checked(target, whom)),
      temporary_(target_, target, writers == Writers::this_host),
      file_(temporary_.descriptor(), target) {
  // A private file stays private; if that is refused, the new file has the usual permissions.
  std::error_code ignored;
  const fs::file_status old = fs::status(target_, ignored);
  if (whom == For::owner) {
    fs::permissions(temporary(), fs::perms::owner_read | fs::perms::owner_write);
  } else if (fs::exists(old)) {
    fs::permissions(temporary(), old.permissions() & fs::perms::all, ignored);
  }
}

void AtomicFile::reserve(Bytes bytes) {
  file_.reserve(bytes);
  file_.sync();
}

void AtomicFile::commit() {
  if (temporary_.has_name()) {
    file_.sync_and_close();
  } else {
    file_.sync();
  }
  temporary_.rename();
  // Syncs the folder, so that the new name is on the disk. Some file systems refuse this; the file is complete anyway.
  const int folder = ::open(folder_of(target_).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (folder < 0) return;
  ::fsync(folder);
  ::close(folder);
}

void write_text(const std::filesystem::path& target, std::string_view text, AtomicFile::For whom) {
  AtomicFile file(target, AtomicFile::Writers::this_host, whom);
  file.append(text.data(), static_cast<Bytes>(text.size()));
  file.commit();
}

void check_writable(const fs::path& path, Bytes bytes) {
  const AtomicFile attempt(path);
  std::error_code error;
  const fs::space_info space = fs::space(folder_of(attempt.target()), error);
  if (!error && space.available < static_cast<std::uintmax_t>(bytes)) {
    throw Error(
        fmt::format("cannot write {}: it needs {} bytes and {} are free", printable(path), bytes, space.available),
        "free some space there or give a path on another file system");
  }
}

}  // namespace tombolo
