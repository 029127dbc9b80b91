#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include <tombolo/units.hpp>

namespace tombolo {

/// Returns true if the text has control characters, which can move a terminal's cursor or worse: those of ASCII and
/// those of Unicode (U+0080 to U+009F, in UTF-8).
bool has_control(std::string_view text);

/// Formats a path for a message, on one line: control characters become `\xNN`.
std::string printable(const std::filesystem::path& path);

/// Formats bytes of a file for a message: in quotation marks, in ASCII, other bytes as `\xNN`, a long text cut.
std::string quoted(std::string_view text);

/// Throws Error("cannot ACTION PATH: meaning of errno_value", remedy).
[[noreturn]] void throw_file_error(std::string_view action, const std::filesystem::path& path, int errno_value);

/// An open file with complete reads and writes: as many system calls as necessary (one alone moves at most 2^31 bytes).
/// Throws Error on failure.
class PosixFile {
 public:
  /// Takes ownership of the descriptor. `shown_as`: the file's name in messages.
  PosixFile(int descriptor, std::filesystem::path shown_as);
  ~PosixFile();
  PosixFile(const PosixFile&) = delete;
  PosixFile& operator=(const PosixFile&) = delete;

  /// Opens a regular file for reading. Throws Error if the file is missing, unreadable, a directory, a pipe or a
  /// device.
  static PosixFile open_to_read(const std::filesystem::path& path);

  /// Opens an existing regular file for write_at. Errors as above, with the name `shown_as`.
  static PosixFile open_to_write(const std::filesystem::path& path, std::filesystem::path shown_as);

  Bytes size() const;

  /// Fills to[0, bytes) from the file at `offset`. Throws Error if the file ends earlier.
  void read_at(void* to, Bytes bytes, Bytes offset) const;

  /// Writes after the bytes appended so far.
  void append(const void* from, Bytes bytes);

  /// Writes from[0, bytes) to the file at `offset`. Does not move the position of append.
  void write_at(const void* from, Bytes bytes, Bytes offset) const;

  /// Extends the file to `bytes`, at least 1, and allocates the disk space if the file system supports that, so that
  /// later writers do not meet a full disk. Throws Error on a full disk, a quota and limits.
  void reserve(Bytes bytes) const;

  /// Syncs all written bytes to the disk.
  void sync() const;

  /// Syncs all written bytes to the disk and closes the file.
  void sync_and_close();

 private:
  int descriptor_;
  std::filesystem::path shown_as_;
};

/// Returns the contents of a file. Throws the errors of open_to_read, and Error for a file larger than `largest`, which
/// then is not a `what`.
std::string read_text(const std::filesystem::path& path, Bytes largest, std::string_view what);

/// Returns the path with symbolic links at its end followed, dangling links included: the path at which a written file
/// will be created. Returns the path unchanged if links cannot be followed.
std::filesystem::path followed(std::filesystem::path path);

/// Returns true if the two paths name one file, through any links, or would do so once the file exists. False if a path
/// cannot be followed, and for an empty path.
bool is_same_file(const std::filesystem::path& one, const std::filesystem::path& other);

}  // namespace tombolo
