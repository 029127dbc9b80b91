#include <cerrno>
#include <cstdint>
#include <string>
#include <system_error>

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <tombolo/platform/atomic_file.hpp>
#include <tombolo/platform/error.hpp>

namespace tombolo {

namespace fs = std::filesystem;

namespace {

fs::path folder_of(const fs::path& path) {
  return path.has_parent_path() ? path.parent_path() : fs::path(".");
}

/// The target with links followed; an Error if no file can stand there.
fs::path checked(const fs::path& target) {
  std::error_code error;
  const fs::file_status status = fs::status(target, error);
  if (error && status.type() != fs::file_type::not_found) throw_file_error("write", target, error.value());
  if (fs::is_directory(status) || !target.has_filename()) {
    throw Error(fmt::format("cannot write {}: it is not the name of a file but of a directory", printable(target)),
                "give the name of a file");
  }
  // Renaming over a device such as /dev/null would replace it.
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
  return fs::is_symlink(fs::symlink_status(target, error)) ? fs::weakly_canonical(target, error) : target;
}

/// A name that is not taken, with the target's own in it for whoever finds it; O_EXCL decides among hosts with equal
/// pids.
fs::path temporary_name(const fs::path& target, int attempt) {
  constexpr std::size_t room = 200;  // a file name has at most 255 bytes
  return folder_of(target) /
         fmt::format(".{}.{}.{}.tmp", target.filename().native().substr(0, room), ::getpid(), attempt);
}

/// Sets name to the file that it creates.
int create_beside(const fs::path& target, const fs::path& shown_as, fs::path& name) {
  for (int attempt = 0;; ++attempt) {
    name = temporary_name(target, attempt);
    const int descriptor = ::open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (descriptor >= 0) return descriptor;
    if (errno != EEXIST) throw_file_error("write", shown_as, errno);
  }
}

}  // namespace

AtomicFile::AtomicFile(const fs::path& target)
    : target_(checked(target)), file_(create_beside(target_, target, temporary_), target) {
  // A private file stays private; where that is refused the new file has the usual permissions.
  std::error_code ignored;
  const fs::file_status old = fs::status(target_, ignored);
  if (fs::exists(old)) fs::permissions(temporary_, old.permissions() & fs::perms::all, ignored);
}

AtomicFile::~AtomicFile() {
  if (!committed_) ::unlink(temporary_.c_str());
}

void AtomicFile::reserve(Bytes bytes) {
  file_.reserve(bytes);
  file_.sync();
}

void AtomicFile::commit() {
  file_.sync_and_close();
  if (::rename(temporary_.c_str(), target_.c_str()) != 0) throw_file_error("write", target_, errno);
  committed_ = true;
  // The new name reaches the disk with the folder; some file systems refuse this, and the file is complete without it.
  const int folder = ::open(folder_of(target_).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (folder < 0) return;
  ::fsync(folder);
  ::close(folder);
}

void write_text(const std::filesystem::path& target, std::string_view text) {
  AtomicFile file(target);
  file.append(text.data(), static_cast<Bytes>(text.size()));
  file.commit();
}

void check_writable(const fs::path& path, Bytes bytes) {
  const AtomicFile attempt(path);
  std::error_code error;
  const fs::space_info space = fs::space(folder_of(attempt.temporary()), error);
  if (!error && space.available < static_cast<std::uintmax_t>(bytes)) {
    throw Error(
        fmt::format("cannot write {}: it needs {} bytes and {} are free", printable(path), bytes, space.available),
        "free some space there or give a path on another file system");
  }
}

}  // namespace tombolo
