#pragma once

#include <filesystem>
#include <optional>

namespace tombolo {

/// Removes a file if SIGINT, SIGTERM or SIGHUP ends the process during this object's lifetime. A signal that the
/// program ignores or handles itself is left alone. At most 16 objects are active at a time; later ones do nothing.
class RemovedOnSignal {
 public:
  explicit RemovedOnSignal(std::filesystem::path path);
  ~RemovedOnSignal();
  RemovedOnSignal(const RemovedOnSignal&) = delete;
  RemovedOnSignal& operator=(const RemovedOnSignal&) = delete;

 private:
  const std::filesystem::path path_;
};

/// A file that is renamed over its target when complete and removed otherwise; see AtomicFile.
class TemporaryFile {
 public:
  /// Removes the files that killed processes have left for this target, and creates a file in the target's folder,
  /// nameless if `may_be_nameless` and supported. Messages name the target `shown_as`.
  TemporaryFile(const std::filesystem::path& target, std::filesystem::path shown_as, bool may_be_nameless);
  /// Removes the file unless it was renamed.
  ~TemporaryFile();
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;

  /// Open for writing; a caller that takes the descriptor over closes it.
  int descriptor() const { return descriptor_; }
  /// The path of a nameless file is valid only as long as the descriptor is open.
  const std::filesystem::path& path() const { return path_; }

  bool has_name() const { return named_; }

  /// Renames the file over the target. A nameless file needs an open descriptor, and has a temporary name for
  /// microseconds.
  void rename();

 private:
  bool create_nameless();
  void create_named();
  void give_name();

  std::filesystem::path target_;
  std::filesystem::path shown_as_;
  std::filesystem::path path_;
  int descriptor_ = -1;
  bool named_ = false;
  std::optional<RemovedOnSignal> on_signal_;
};

}  // namespace tombolo
