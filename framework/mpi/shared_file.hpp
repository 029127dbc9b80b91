#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>

#include <mpi.h>

#include <tombolo/platform/posix_file.hpp>
#include <tombolo/platform/units.hpp>

namespace tombolo {

/// Lines of a file, as one rank sees them: `width` bytes each, which begin `stride` apart, the first one at `offset`.
struct FileView {
  Bytes offset = 0;
  Bytes width = 0;
  Bytes stride = 0;
};

/// A file that all ranks of a communicator have open, through MPI-IO; in a simulation, whose MPI has no files of the
/// real host, through POSIX calls. All functions but size() are collective. What fails on one rank is kept until
/// check(), so that no rank waits for another one.
class SharedFile {
 public:
  enum class Access { read, write };
  /// Opens a regular file that is there. Messages call it shown_as. Throws AgreedError: missing, a directory, a pipe,
  /// no permission.
  SharedFile(MPI_Comm communicator, const std::filesystem::path& path, std::filesystem::path shown_as, Access access);
  ~SharedFile();
  SharedFile(const SharedFile&) = delete;
  SharedFile& operator=(const SharedFile&) = delete;

  Bytes size() const;

  /// What read and write are about from now on. `all_apart` (the same on all ranks) says that every rank has either
  /// nothing or gaps between its lines.
  void view(const FileView& lines, bool all_apart);
  /// Lines from number `line` on, `lines` of them, perhaps none, one behind the other in memory; at most 2^31 - 1
  /// bytes.
  void read(std::int64_t line, std::int64_t lines, void* to);
  void write(std::int64_t line, std::int64_t lines, const void* from);

  /// Throws AgreedError if anything has failed on any rank.
  void check();
  /// Brings what was written to the disk, closes the file, and checks.
  void close();

 private:
  void keep(int code);  // of an MPI call
  template <class Call>
  void by_posix(std::int64_t line, std::int64_t lines, Call call);

  MPI_Comm communicator_;
  std::filesystem::path shown_as_;
  Access access_;
  bool on_one_host_ = false;
  MPI_File file_ = MPI_FILE_NULL;
  std::unique_ptr<PosixFile> posix_;  // in a simulation
  FileView lines_;
  int failed_ = MPI_SUCCESS;  // the first code that was not that
  std::string posix_failed_;  // likewise, in words
};

}  // namespace tombolo
