#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include <tombolo/framework/mpi/arrays/shared_file.hpp>
#include <tombolo/platform/mpi/check.hpp>
#include <tombolo/platform/mpi/machine.hpp>
#include <tombolo/session.hpp>
#include <tombolo/units.hpp>

namespace tombolo {

namespace {

std::string_view verb(SharedFile::Access access) {
  return access == SharedFile::Access::read ? "read" : "write";
}

std::string one_line(int code) {
  char words[MPI_MAX_ERROR_STRING] = "";
  int length = 0;
  MPI_Error_string(code, words, &length);
  std::string line(words, static_cast<std::size_t>(length));
  std::replace(line.begin(), line.end(), '\n', ' ');
  return line;
}

/// Throws Error with the system's message if the MPI error class corresponds to a system error.
[[noreturn]] void throw_error(int code, SharedFile::Access access, const std::filesystem::path& path) {
  int error_class = code;
  MPI_Error_class(code, &error_class);
  for (const auto& [mpi, system] :
       {std::pair(MPI_ERR_NO_SUCH_FILE, ENOENT), std::pair(MPI_ERR_ACCESS, EACCES), std::pair(MPI_ERR_NO_SPACE, ENOSPC),
        std::pair(MPI_ERR_QUOTA, EDQUOT), std::pair(MPI_ERR_READ_ONLY, EROFS)}) {
    if (error_class == mpi) throw_file_error(verb(access), path, system);
  }
  // ROMIO has no class for most of them, but the system's words in its own.
  const std::string line = one_line(code);
  for (const int system : {ENOSPC, EDQUOT, EFBIG}) {
    if (line.find(std::generic_category().message(system)) != std::string::npos) {
      throw_file_error(verb(access), path, system);
    }
  }
  throw Error(fmt::format("cannot {} {}: {}", verb(access), printable(path), line),
              "check the file system it is on, or give another path");
}

/// Returns the path as MPI needs it: ROMIO, but not Open MPI, takes a prefix before a colon for a file system type.
std::string name_for_mpi(const std::filesystem::path& path) {
  return machine::open_mpi || path.native().find(':') == std::string::npos ? path.native() : "ufs:" + path.native();
}

/// ROMIO hints for files of one host. Collective buffering, ROMIO's default with one rank of the host as aggregator,
/// takes up to 50 times as long, so it is disabled. Data sieving is enabled for lines so close together that a system
/// call for each takes longer than reading the gaps too. A sieving write puts back the old contents of other ranks'
/// lines, under a lock that ranks with contiguous lines ignore: so it requires all_apart.
MPI_Info hints(Bytes stride, bool all_apart) {
  constexpr Bytes read_between = 4 << 10;
  constexpr Bytes write_between = 32 << 10;
  const auto enabled = [](bool yes) { return yes ? "enable" : "disable"; };
  MPI_Info info = MPI_INFO_NULL;
  check_mpi(MPI_Info_create(&info), "MPI_Info_create");
  for (const auto& [hint, value] : {std::pair("romio_cb_read", "disable"), std::pair("romio_cb_write", "disable"),
                                    std::pair("romio_ds_read", enabled(stride <= read_between)),
                                    std::pair("romio_ds_write", enabled(all_apart && stride <= write_between))}) {
    check_mpi(MPI_Info_set(info, hint, value), "MPI_Info_set");
  }
  return info;
}

}  // namespace

bool on_one_host(MPI_Comm communicator) {
  if (machine::simulated()) return true;
  MPI_Comm host = MPI_COMM_NULL;
  check_mpi(MPI_Comm_split_type(communicator, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &host), "MPI_Comm_split_type");
  int here = 0;
  int all = 0;
  check_mpi(MPI_Comm_size(host, &here), "MPI_Comm_size");
  check_mpi(MPI_Comm_size(communicator, &all), "MPI_Comm_size");
  MPI_Comm_free(&host);
  return here == all;
}

SharedFile::SharedFile(MPI_Comm communicator, const std::filesystem::path& path, std::filesystem::path shown_as,
                       Access access)
    : communicator_(communicator), shown_as_(std::move(shown_as)), access_(access) {
  // MPI has no good error messages for a pipe or a directory, and would wait for ever on a pipe.
  agree(communicator, [&] {
    // NOLINTNEXTLINE(modernize-make-unique): PosixFile cannot be moved, only constructed in place
    posix_.reset(new PosixFile(access == Access::read ? PosixFile::open_to_read(path)
                                                      : PosixFile::open_to_write(path, shown_as_)));
  });
  if (machine::simulated()) return;
  posix_.reset();
  on_one_host_ = on_one_host(communicator);
  const int mode = access == Access::read ? MPI_MODE_RDONLY : MPI_MODE_WRONLY;
  keep(MPI_File_open(communicator, name_for_mpi(path).c_str(), mode, MPI_INFO_NULL, &file_));
  if (failed_ == MPI_SUCCESS) keep(MPI_File_set_errhandler(file_, MPI_ERRORS_RETURN));
  check();
}

SharedFile::~SharedFile() {
  if (file_ != MPI_FILE_NULL) MPI_File_close(&file_);
}

void SharedFile::keep(int code) {
  if (failed_ == MPI_SUCCESS) failed_ = code;
}

Bytes SharedFile::size() const {
  if (posix_) return posix_->size();
  MPI_Offset bytes = 0;
  if (const int code = MPI_File_get_size(file_, &bytes); code != MPI_SUCCESS) throw_error(code, access_, shown_as_);
  return bytes;
}

void SharedFile::view(const FileView& lines, bool all_apart) {
  lines_ = lines;
  if (posix_) return;
  MPI_Datatype line = MPI_BYTE;
  if (lines.width > 0 && lines.width < lines.stride) {
    MPI_Datatype piece = MPI_DATATYPE_NULL;
    keep(MPI_Type_contiguous(static_cast<int>(lines.width), MPI_BYTE, &piece));
    keep(MPI_Type_create_resized(piece, 0, lines.stride, &line));
    keep(MPI_Type_commit(&line));
    MPI_Type_free(&piece);
  }
  MPI_Info info = on_one_host_ ? hints(lines.stride, all_apart) : MPI_INFO_NULL;
  keep(MPI_File_set_view(file_, lines.offset, MPI_BYTE, line, "native", info));
  if (info != MPI_INFO_NULL) MPI_Info_free(&info);
  if (line != MPI_BYTE) MPI_Type_free(&line);
}

template <class Call>
void SharedFile::by_posix(std::int64_t line, std::int64_t lines, Call call) {
  try {
    for (std::int64_t l = 0; l < lines; ++l) call(l * lines_.width, lines_.offset + (line + l) * lines_.stride);
  } catch (const Error& error) {
    if (posix_failed_.empty()) posix_failed_ = error.what();
  }
}

void SharedFile::read(std::int64_t line, std::int64_t lines, void* to) {
  if (posix_) {
    by_posix(line, lines,
             [&](Bytes at, Bytes offset) { posix_->read_at(static_cast<std::byte*>(to) + at, lines_.width, offset); });
    return;
  }
  keep(MPI_File_read_at_all(file_, line * lines_.width, to, static_cast<int>(lines * lines_.width), MPI_BYTE,
                            MPI_STATUS_IGNORE));
}

void SharedFile::write(std::int64_t line, std::int64_t lines, const void* from) {
  if (posix_) {
    by_posix(line, lines, [&](Bytes at, Bytes offset) {
      posix_->write_at(static_cast<const std::byte*>(from) + at, lines_.width, offset);
    });
    return;
  }
  keep(MPI_File_write_at_all(file_, line * lines_.width, from, static_cast<int>(lines * lines_.width), MPI_BYTE,
                             MPI_STATUS_IGNORE));
}

void SharedFile::check() {
  agree(communicator_, [&] {
    if (!posix_failed_.empty()) throw std::runtime_error(posix_failed_);
    if (failed_ != MPI_SUCCESS) throw_error(failed_, access_, shown_as_);
  });
}

void SharedFile::sync() {
  if (file_ != MPI_FILE_NULL) keep(MPI_File_sync(file_));
  agree(communicator_, [&] {
    if (posix_) posix_->sync();
  });
  check();
}

void SharedFile::close() {
  if (file_ != MPI_FILE_NULL) {
    if (access_ == Access::write) keep(MPI_File_sync(file_));
    keep(MPI_File_close(&file_));
  }
  agree(communicator_, [&] {
    if (posix_ && access_ == Access::write) posix_->sync_and_close();
  });
  check();
}

}  // namespace tombolo
