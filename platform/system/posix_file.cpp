#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <tombolo/platform/system/posix_file.hpp>
#include <tombolo/units.hpp>

namespace tombolo {

namespace {

constexpr Bytes largest_transfer = Bytes{1} << 30;  // per system call

/// Returns the number of bytes of the control character at the start of a text; 0 if there is none.
std::size_t control_at(std::string_view text) {
  const auto byte = [&](std::size_t at) { return static_cast<unsigned char>(text[at]); };
  if (byte(0) < 0x20 || byte(0) == 0x7f) return 1;
  return byte(0) == 0xc2 && text.size() > 1 && byte(1) >= 0x80 && byte(1) < 0xa0 ? 2 : 0;
}

std::string escaped(std::string_view text, unsigned char last_allowed) {
  std::string result;
  for (std::size_t hidden = 0; !text.empty(); text.remove_prefix(1)) {
    hidden = std::max(hidden, control_at(text));
    const auto byte = static_cast<unsigned char>(text.front());
    if (hidden > 0 || byte > last_allowed) {
      result += fmt::format("\\x{:02x}", byte);
    } else {
      result += text.front();
    }
    if (hidden > 0) --hidden;
  }
  return result;
}

std::string_view remedy_for(int errno_value) {
  switch (errno_value) {
    case ENOENT:
    case ENOTDIR:
    case ENAMETOOLONG:
    case ELOOP:
      return "check the path";
    case EACCES:
    case EPERM:
      return "check the permissions of the file and its folder, or give another path";
    case EROFS:
      return "give a path on a file system that is not read-only";
    case ENOSPC:
    case EDQUOT:
      return "free some space there or give a path on another file system";
    case EFBIG:
      return "raise the limit on file sizes (ulimit -f) or give a path on another file system";
    case EMFILE:
    case ENFILE:
      return "raise the limit on open files (ulimit -n)";
    default:
      return "check the file system it is on, or give another path";
  }
}

// Calls write(from, bytes, bytes done before), with the return values of ::write, until all bytes are written.
template <class Write>
void write_all(const void* from, Bytes bytes, const std::filesystem::path& shown_as, Write write) {
  const auto* at = static_cast<const std::byte*>(from);
  Bytes left = bytes;
  while (left > 0) {
    const Bytes done = write(at, static_cast<std::size_t>(std::min(left, largest_transfer)), bytes - left);
    if (done < 0 && errno == EINTR) continue;
    if (done < 0) throw_file_error("write", shown_as, errno);
    at += done;
    left -= done;
  }
}

int open_regular(const std::filesystem::path& path, int access, std::string_view action,
                 const std::filesystem::path& shown_as) {
  // Checked before opening: opening a pipe without a writer would block.
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0) throw_file_error("open", shown_as, errno);
  if (!S_ISREG(status.st_mode)) {
    throw Error(fmt::format("cannot {} {}: it is {}", action, printable(shown_as),
                            S_ISDIR(status.st_mode) ? "a directory" : "a pipe or a device"),
                "give the path of a regular file");
  }
  const int descriptor = ::open(path.c_str(), access | O_CLOEXEC);
  if (descriptor < 0) throw_file_error("open", shown_as, errno);
  return descriptor;
}

}  // namespace

bool has_control(std::string_view text) {
  for (; !text.empty(); text.remove_prefix(1)) {
    if (control_at(text) > 0) return true;
  }
  return false;
}

std::string printable(const std::filesystem::path& path) {
  return path.empty() ? "\"\"" : escaped(path.native(), 0xff);
}

std::string quoted(std::string_view text) {
  constexpr std::size_t longest = 60;
  return '"' + escaped(text.substr(0, longest), 0x7e) + (text.size() > longest ? "..." : "") + '"';
}

void throw_file_error(std::string_view action, const std::filesystem::path& path, int errno_value) {
  throw Error(fmt::format("cannot {} {}: {}", action, printable(path), std::generic_category().message(errno_value)),
              std::string(remedy_for(errno_value)));
}

PosixFile::PosixFile(int descriptor, std::filesystem::path shown_as)
    : descriptor_(descriptor), shown_as_(std::move(shown_as)) {}

PosixFile::~PosixFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

PosixFile PosixFile::open_to_read(const std::filesystem::path& path) {
  return PosixFile(open_regular(path, O_RDONLY, "read", path), path);
}

PosixFile PosixFile::open_to_write(const std::filesystem::path& path, std::filesystem::path shown_as) {
  const int descriptor = open_regular(path, O_WRONLY, "write", shown_as);
  return PosixFile(descriptor, std::move(shown_as));
}

Bytes PosixFile::size() const {
  struct stat status {};
  if (::fstat(descriptor_, &status) != 0) throw_file_error("read", shown_as_, errno);
  return status.st_size;
}

void PosixFile::read_at(void* to, Bytes bytes, Bytes offset) const {
  auto* at = static_cast<std::byte*>(to);
  Bytes left = bytes;
  while (left > 0) {
    const Bytes got =
        ::pread(descriptor_, at, static_cast<std::size_t>(std::min(left, largest_transfer)), offset + (bytes - left));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) throw_file_error("read", shown_as_, errno);
    if (got == 0) {
      throw Error(fmt::format("{} ended at byte {} while bytes {} to {} were read", printable(shown_as_),
                              offset + (bytes - left), offset, offset + bytes),
                  "make sure that nobody changes the file meanwhile, and start again");
    }
    at += got;
    left -= got;
  }
}

void PosixFile::append(const void* from, Bytes bytes) {
  write_all(from, bytes, shown_as_,
            [this](const void* at, std::size_t now, Bytes) { return ::write(descriptor_, at, now); });
}

void PosixFile::write_at(const void* from, Bytes bytes, Bytes offset) const {
  write_all(from, bytes, shown_as_, [this, offset](const void* at, std::size_t now, Bytes before) {
    return ::pwrite(descriptor_, at, now, offset + before);
  });
}

void PosixFile::reserve(Bytes bytes) const {
  // Not posix_fallocate, which writes into every block if the file system cannot reserve.
  int error = 0;
  do {
    error = ::fallocate(descriptor_, 0, 0, bytes) == 0 ? 0 : errno;
  } while (error == EINTR);
  if (error == EOPNOTSUPP || error == ENOSYS) error = ::ftruncate(descriptor_, bytes) == 0 ? 0 : errno;
  if (error != 0) throw_file_error("write", shown_as_, error);
}

void PosixFile::sync() const {
  if (::fsync(descriptor_) != 0) throw_file_error("write", shown_as_, errno);
}

void PosixFile::sync_and_close() {
  sync();
  // NFS may report a full disk only here.
  if (::close(std::exchange(descriptor_, -1)) != 0) throw_file_error("write", shown_as_, errno);
}

std::string read_text(const std::filesystem::path& path, Bytes largest, std::string_view what) {
  const PosixFile file = PosixFile::open_to_read(path);
  const Bytes size = file.size();
  if (size > largest) {
    throw Error(fmt::format("{} has {} bytes, too many for {}", printable(path), size, what), "check its path");
  }
  std::string text(static_cast<std::size_t>(size), '\0');
  file.read_at(text.data(), size, 0);
  return text;
}

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
