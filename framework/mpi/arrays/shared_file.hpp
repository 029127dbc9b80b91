#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>

#include <mpi.h>

#include <tombolo/platform/system/posix_file.hpp>
#include <tombolo/units.hpp>

namespace tombolo {

/// A rank's view of a file: lines of `width` bytes, `stride` bytes from start to start, the first at `offset`.
struct FileView {
  Bytes offset = 0;
  Bytes width = 0;
  Bytes stride = 0;
};

/// Returns true if all ranks of the communicator are on one host. Collective.
bool on_one_host(MPI_Comm communicator);

/// A file opened by all ranks of a communicator, through MPI-IO; in a simulation, whose MPI cannot reach files of the
/// real host, through POSIX calls. All functions except size() are collective. A failure on one rank is kept until
/// check(), so that no rank waits for another.
class SharedFile {
 public:
  enum class Access { read, write };
  /// Opens an existing regular file. Messages show its name as shown_as. Throws AgreedError: missing, a directory, a
  /// pipe, no permission.
  SharedFile(MPI_Comm communicator, const std::filesystem::path& path, std::filesystem::path shown_as, Access access);
  ~SharedFile();
  SharedFile(const SharedFile&) = delete;
  SharedFile& operator=(const SharedFile&) = delete;

  Bytes size() const;

  /// Sets the view for later reads and writes. `all_apart` (the same on all ranks): every rank's view has either no
  /// lines or gaps between its lines.
  void view(const FileView& lines, bool all_apart);
  /// Transfers lines [line, line + lines), contiguous in memory; `lines` may be 0; at most 2^31 - 1 bytes.
  void read(std::int64_t line, std::int64_t lines, void* to);
  void write(std::int64_t line, std::int64_t lines, const void* from);

  /// Throws AgreedError if a call has failed on any rank.
  void check();
  /// Flushes written data to disk, and checks.
  void sync();
  /// Does the same and closes the file.
  void close();

 private:
  void keep(int code);  // the code of an MPI call, if it is the first error
  template <class Call>
  void by_posix(std::int64_t line, std::int64_t lines, Call call);

  MPI_Comm communicator_;
  std::filesystem::path shown_as_;
  Access access_;
  bool on_one_host_ = false;
  MPI_File file_ = MPI_FILE_NULL;
  std::unique_ptr<PosixFile> posix_;  // replaces file_ in a simulation
  FileView lines_;
  int failed_ = MPI_SUCCESS;  // the first error code
  std::string posix_failed_;  // the first error message
};

}  // namespace tombolo
