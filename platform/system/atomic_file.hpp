#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string_view>

#include <tombolo/platform/system/posix_file.hpp>
#include <tombolo/units.hpp>

namespace tombolo {

/// A file that appears under its final name only when complete. The contents go into a temporary file, and commit()
/// renames it over the target. Without a commit nothing remains, however the process ends: the temporary file is
/// nameless, so the system removes it. A name is needed for writers on other hosts and on file systems without nameless
/// files (NFS): .NAME.PID.N.tmp, in the target's folder. The destructor, SIGINT, SIGTERM and SIGHUP remove a named
/// file; after SIGKILL the next AtomicFile of the same target removes it.
class AtomicFile {
 public:
  /// The processes that may open temporary() during this object's lifetime.
  enum class Writers { this_host, all_hosts };
  /// The readers of the file: everyone allowed by the target's permissions or the umask, or the owner alone (0600).
  enum class For { all, owner };

  /// Creates the temporary file. An existing target stays unchanged until commit and passes on its permissions. A
  /// symbolic link stays a link, even a dangling one; with For::owner the file replaces the link, since in a folder
  /// writable by others the link could lead anywhere. Throws Error if the folder is missing or not writable, or the
  /// target is a directory, a device or write-protected.
  explicit AtomicFile(const std::filesystem::path& target, Writers writers = Writers::this_host, For whom = For::all);

  /// What a file holds when it is opened: what an earlier run has left, or nothing.
  enum class Begin { anew, with_what_is_left };
  /// The exception to the above: a file with a name, partial_of(target), that stays without a commit, however the
  /// process ends, so that a later run can go on with it. Throws the same errors, and Error while another process
  /// writes it.
  AtomicFile(const std::filesystem::path& target, Begin begin);

  /// The target path, with symbolic links followed unless the file is for the owner alone.
  const std::filesystem::path& target() const { return target_; }

  /// The path of the file before commit; other writers open the file by this path.
  const std::filesystem::path& temporary() const { return temporary_; }

  /// Appends to the bytes written by this object. Throws Error on a full disk, a quota and limits.
  void append(const void* from, Bytes bytes) { file_->append(from, bytes); }

  /// Extends the file to `bytes`, for other writers, and syncs the appended bytes to the disk; see PosixFile.
  void reserve(Bytes bytes);

  /// Syncs the file to the disk and renames it to its final name. Call once, last.
  void commit();

  /// Removes the temporary file unless it was committed.
  ~AtomicFile();
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

 private:
  class RemovedOnSignal;

  int create_nameless();
  int create_named();
  int open_partial(Begin begin);
  void give_name();

  std::filesystem::path target_;
  std::filesystem::path shown_as_;
  std::filesystem::path temporary_;  // of a nameless file: valid only as long as the descriptor is open
  bool named_ = false;
  bool stays_ = false;  // without a commit
  std::unique_ptr<RemovedOnSignal> on_signal_;
  std::optional<PosixFile> file_;
};

/// Returns the path of the file that an AtomicFile leaves for later runs: TARGET.partial, with links of the target
/// followed.
std::filesystem::path partial_of(const std::filesystem::path& target);

/// Writes a complete text file atomically.
void write_text(const std::filesystem::path& target, std::string_view text,
                AtomicFile::For whom = AtomicFile::For::all);

/// Throws the Error that a later write to `path` would cause: performs all checks of AtomicFile, and checks that
/// `bytes` bytes are free. Takes microseconds and leaves nothing behind. Call it at the start of a long computation, on
/// the one rank that will write.
void check_writable(const std::filesystem::path& path, Bytes bytes = 0);

}  // namespace tombolo
