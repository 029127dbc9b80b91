#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include <tombolo/platform/units.hpp>

namespace tombolo {

/// The path as it goes into a message: on one line whatever it holds (control characters become `\xNN`).
std::string printable(const std::filesystem::path& path);

/// Bytes from a file as they go into a message: "like this", in ASCII, the rest as `\xNN`, a long text cut.
std::string quoted(std::string_view text);

/// Throws Error("cannot ACTION PATH: what errno_value means", what to do about it).
[[noreturn]] void throw_file_error(std::string_view action, const std::filesystem::path& path, int errno_value);

/// An open file that reads and writes everything it is asked to, in as many system calls as it takes (one alone moves
/// at most 2^31 bytes), and throws Error where it cannot.
class PosixFile {
 public:
  /// Takes the descriptor over. Messages call the file shown_as.
  PosixFile(int descriptor, std::filesystem::path shown_as);
  ~PosixFile();
  PosixFile(const PosixFile&) = delete;
  PosixFile& operator=(const PosixFile&) = delete;

  /// Opens a regular file to read. Errors: missing, unreadable, a directory, a pipe or a device.
  static PosixFile open_to_read(const std::filesystem::path& path);

  /// Opens a regular file that is there, to write at places of it. Errors, which call it shown_as: as above.
  static PosixFile open_to_write(const std::filesystem::path& path, std::filesystem::path shown_as);

  Bytes size() const;

  /// Fills to[0, bytes) from the file's bytes from offset on; an Error if the file ends before.
  void read_at(void* to, Bytes bytes, Bytes offset) const;

  /// Writes at the current end of what was written.
  void append(const void* from, Bytes bytes);

  /// Writes from[0, bytes) to the file's bytes from offset on. append goes on where it was.
  void write_at(const void* from, Bytes bytes, Bytes offset) const;

  /// Extends the file to `bytes` of at least 1 and takes the space on the disk, where the file system can do that, so
  /// that nobody who writes there meets a full disk. Errors: disk full, quota, limits.
  void reserve(Bytes bytes) const;

  /// Brings everything written to the disk.
  void sync() const;

  /// Brings everything written to the disk and closes the file.
  void sync_and_close();

 private:
  int descriptor_;
  std::filesystem::path shown_as_;
};

/// All that a file holds. Errors: as open_to_read's, and a file larger than `largest`, which is not `what` then.
std::string read_text(const std::filesystem::path& path, Bytes largest, std::string_view what);

}  // namespace tombolo
