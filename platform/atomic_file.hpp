#pragma once

#include <filesystem>
#include <string_view>

#include <tombolo/platform/posix_file.hpp>
#include <tombolo/platform/units.hpp>

namespace tombolo {

/// A file that stands under its final name only when it is complete: it is written into a temporary file beside the
/// target, which commit() renames over it and the destructor removes if there was no commit. A process that is killed
/// can leave a file named .NAME.PID.N.tmp behind, never a half-written target.
class AtomicFile {
 public:
  /// Creates the temporary file. An existing target stays as it is until commit, and hands its permissions on; a
  /// symbolic link stays one. Errors: the folder is missing or not writable, the target is a directory, a device or
  /// write-protected.
  explicit AtomicFile(const std::filesystem::path& target);
  ~AtomicFile();
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  /// Where the file is until commit; others may write into it as well.
  const std::filesystem::path& temporary() const { return temporary_; }

  /// Writes behind what was written here. Errors: disk full, quota, limits.
  void append(const void* from, Bytes bytes) { file_.append(from, bytes); }

  /// Extends the file to `bytes`, for others to write into, and brings to the disk what was appended; see PosixFile.
  void reserve(Bytes bytes);

  /// Brings the file to the disk and gives it its final name. To be called once, last.
  void commit();

 private:
  std::filesystem::path target_;  ///< links followed
  std::filesystem::path temporary_;
  PosixFile file_;
  bool committed_ = false;
};

/// Writes a whole text file at once.
void write_text(const std::filesystem::path& target, std::string_view text);

/// Throws the Error that writing to path would meet in the end: everything that AtomicFile checks, and whether that
/// many bytes are free there. Takes microseconds and leaves nothing behind; for the start of a long computation, on the
/// one rank that will write.
void check_writable(const std::filesystem::path& path, Bytes bytes = 0);

}  // namespace tombolo
