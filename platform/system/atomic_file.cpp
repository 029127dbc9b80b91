#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <tombolo/platform/system/atomic_file.hpp>
#include <tombolo/platform/system/posix_file.hpp>
#include <tombolo/units.hpp>

namespace tombolo {

namespace fs = std::filesystem;

namespace {

// The only data of the signal handler: no allocation, no lock.
std::array<std::atomic<const char*>, 16> to_remove;

extern "C" void remove_all(int signal_number) {
  for (const std::atomic<const char*>& path : to_remove) {
    if (path != nullptr) ::unlink(path);
  }
  (void)std::raise(signal_number);  // handled by default (SA_RESETHAND) after this handler returns
}

void install(int signal_number) {
  struct sigaction now {};
  if (::sigaction(signal_number, nullptr, &now) != 0 || now.sa_handler != SIG_DFL) return;
  struct sigaction ours {};
  ours.sa_handler = remove_all;
  ours.sa_flags = static_cast<int>(SA_RESETHAND);
  ::sigaction(signal_number, &ours, nullptr);
}

constexpr std::string_view ending = ".tmp";

fs::path folder_of(const fs::path& path) {
  return path.has_parent_path() ? path.parent_path() : fs::path(".");
}

/// The common prefix of the names of all temporary files of a target.
std::string beginning(const fs::path& target) {
  constexpr std::size_t room = 200;  // a file name has at most 255 bytes
  return fmt::format(".{}.", target.filename().native().substr(0, room));
}

/// Returns a candidate name, with the target's name in it for people; O_EXCL decides between hosts with equal pids.
fs::path name_of(const fs::path& target, int attempt) {
  return folder_of(target) / fmt::format("{}{}.{}{}", beginning(target), ::getpid(), attempt, ending);
}

bool is_name_of(const fs::path& target, std::string_view name) {
  const std::string begin = beginning(target);
  if (!name.starts_with(begin) || !name.ends_with(ending) || name.size() <= begin.size() + ending.size()) return false;
  const std::string_view between = name.substr(begin.size(), name.size() - begin.size() - ending.size());
  const std::size_t dot = between.find('.');
  constexpr std::string_view digits = "0123456789";
  return dot != std::string_view::npos && between.find_first_not_of(digits) == dot &&
         between.find_first_not_of(digits, dot + 1) == std::string_view::npos;
}

/// Marks an open file as in use until it is closed. Returns 0, EAGAIN if another process uses it, or another errno if
/// the file system has no such locks. Locks a byte beyond the contents, since MPI-IO locks bytes of the contents.
int lock(int descriptor) {
  struct flock byte {};
  byte.l_type = F_WRLCK;
  byte.l_whence = SEEK_SET;
  byte.l_start = std::numeric_limits<off_t>::max() - 1;
  byte.l_len = 1;
  if (::fcntl(descriptor, F_OFD_SETLK, &byte) == 0) return 0;
  return errno == EACCES ? EAGAIN : errno;
}

void remove_left_behind(const fs::path& target) {
  std::error_code error;
  for (fs::directory_iterator entry(folder_of(target), error); !error && entry != fs::directory_iterator();
       entry.increment(error)) {
    if (!is_name_of(target, entry->path().filename().native())) continue;
    // Without blocking and without following links: the name may belong to another user's pipe or link.
    const int descriptor = ::open(entry->path().c_str(), O_WRONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (descriptor < 0) continue;
    if (lock(descriptor) == 0) ::unlink(entry->path().c_str());
    ::close(descriptor);
  }
}

/// Returns the target, with links followed unless the file is for the owner alone; throws Error if the path cannot be a
/// file.
fs::path checked(const fs::path& named, AtomicFile::For whom) {
  fs::path target = whom == AtomicFile::For::all ? followed(named) : named;
  std::error_code error;
  const fs::file_status status = fs::status(target, error);
  if (error && status.type() != fs::file_type::not_found) throw_file_error("write", target, error.value());
  if (fs::is_directory(status) || !target.has_filename()) {
    throw Error(fmt::format("cannot write {}: it is not the name of a file but of a directory", printable(target)),
                "give the name of a file");
  }
  // A rename over a device such as /dev/null would replace the device.
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
  return target;
}

}  // namespace

// Removes a file if SIGINT, SIGTERM or SIGHUP ends the process during this object's lifetime. A signal that the program
// ignores or handles itself is left alone. At most 16 objects are active at a time; later ones do nothing.
class AtomicFile::RemovedOnSignal {
 public:
  explicit RemovedOnSignal(fs::path path) : path_(std::move(path)) {
    for (const int signal_number : {SIGINT, SIGTERM, SIGHUP}) install(signal_number);
    for (std::atomic<const char*>& free : to_remove) {
      const char* nothing = nullptr;
      if (free.compare_exchange_strong(nothing, path_.c_str())) return;
    }
  }
  ~RemovedOnSignal() {
    for (std::atomic<const char*>& taken : to_remove) {
      const char* mine = path_.c_str();
      if (taken.compare_exchange_strong(mine, nullptr)) return;
    }
  }
  RemovedOnSignal(const RemovedOnSignal&) = delete;
  RemovedOnSignal& operator=(const RemovedOnSignal&) = delete;

 private:
  const fs::path path_;
};

AtomicFile::AtomicFile(const fs::path& target, Writers writers, For whom)
    : target_(checked(target, whom)), shown_as_(target) {
  remove_left_behind(target_);
  const int nameless = writers == Writers::this_host ? create_nameless() : -1;
  file_.emplace(nameless >= 0 ? nameless : create_named(), shown_as_);
  // A private file stays private; if that is refused, the new file has the usual permissions.
  std::error_code ignored;
  const fs::file_status old = fs::status(target_, ignored);
  if (whom == For::owner) {
    fs::permissions(temporary_, fs::perms::owner_read | fs::perms::owner_write);
  } else if (fs::exists(old)) {
    fs::permissions(temporary_, old.permissions() & fs::perms::all, ignored);
  }
}

AtomicFile::AtomicFile(const fs::path& target, Begin begin)
    : target_(checked(target, For::all)),
      shown_as_(target),
      temporary_(partial_of(target)),
      named_(true),
      stays_(true) {
  file_.emplace(open_partial(begin), temporary_);
  std::error_code ignored;
  const fs::file_status old = fs::status(target_, ignored);
  if (fs::exists(old)) fs::permissions(temporary_, old.permissions() & fs::perms::all, ignored);
}

AtomicFile::~AtomicFile() {
  if (named_ && !stays_) ::unlink(temporary_.c_str());
}

int AtomicFile::open_partial(Begin begin) {
  const int descriptor = ::open(temporary_.c_str(), O_WRONLY | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0666);
  if (descriptor < 0) throw_file_error("write", temporary_, errno);
  struct stat status {};
  const bool regular = ::fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode);
  if (regular && lock(descriptor) != EAGAIN) {
    if (begin == Begin::with_what_is_left || ::ftruncate(descriptor, 0) == 0) return descriptor;
  }
  ::close(descriptor);
  throw Error(fmt::format("cannot write {}: {}", printable(temporary_),
                          regular ? "another run writes it" : "it is a pipe or a device"),
              regular ? "wait for its end, or give another path" : "remove it, or give another path");
}

// Returns a descriptor; -1 if the system or the file system has no nameless files.
int AtomicFile::create_nameless() {
  const int descriptor = ::open(folder_of(target_).c_str(), O_WRONLY | O_TMPFILE | O_CLOEXEC, 0666);
  if (descriptor < 0) return -1;  // any other error recurs for the named file
  temporary_ = fmt::format("/proc/{}/fd/{}", ::getpid(), descriptor);
  struct stat itself {};
  struct stat found {};
  const bool seen = ::fstat(descriptor, &itself) == 0 && ::stat(temporary_.c_str(), &found) == 0 &&
                    itself.st_dev == found.st_dev && itself.st_ino == found.st_ino;
  if (seen) {
    (void)lock(descriptor);  // used once the file has a name
    return descriptor;
  }
  ::close(descriptor);
  return -1;
}

int AtomicFile::create_named() {
  for (int attempt = 0;; ++attempt) {
    temporary_ = name_of(target_, attempt);
    const int descriptor = ::open(temporary_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (descriptor < 0 && errno != EEXIST) throw_file_error("write", shown_as_, errno);
    if (descriptor < 0) continue;
    // Between open() and lock() another process may have removed the file as left behind.
    struct stat status {};
    if (lock(descriptor) != EAGAIN && ::fstat(descriptor, &status) == 0 && status.st_nlink > 0) {
      named_ = true;
      on_signal_ = std::make_unique<RemovedOnSignal>(temporary_);
      return descriptor;
    }
    ::close(descriptor);
  }
}

// A nameless file has a temporary name for microseconds.
void AtomicFile::give_name() {
  for (int attempt = 0; !named_; ++attempt) {
    const fs::path name = name_of(target_, attempt);
    named_ = ::linkat(AT_FDCWD, temporary_.c_str(), AT_FDCWD, name.c_str(), AT_SYMLINK_FOLLOW) == 0;
    if (named_) temporary_ = name;
    if (!named_ && errno != EEXIST) throw_file_error("write", shown_as_, errno);
  }
}

void AtomicFile::reserve(Bytes bytes) {
  file_->reserve(bytes);
  file_->sync();
}

void AtomicFile::commit() {
  if (named_) {
    file_->sync_and_close();
  } else {
    file_->sync();  // the descriptor is needed to give the file a name
  }
  give_name();
  if (::rename(temporary_.c_str(), target_.c_str()) != 0) throw_file_error("write", shown_as_, errno);
  named_ = false;
  on_signal_.reset();
  // Syncs the folder, so that the new name is on the disk. Some file systems refuse this; the file is complete anyway.
  const int folder = ::open(folder_of(target_).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (folder < 0) return;
  ::fsync(folder);
  ::close(folder);
}

fs::path partial_of(const fs::path& target) {
  fs::path path = followed(target);
  path += ".partial";
  return path;
}

void write_text(const std::filesystem::path& target, std::string_view text, AtomicFile::For whom) {
  AtomicFile file(target, AtomicFile::Writers::this_host, whom);
  file.append(text.data(), static_cast<Bytes>(text.size()));
  file.commit();
}

void check_writable(const fs::path& path, Bytes bytes) {
  const AtomicFile attempt(path);
  std::error_code error;
  const fs::space_info space = fs::space(folder_of(attempt.target()), error);
  if (!error && space.available < static_cast<std::uintmax_t>(bytes)) {
    throw Error(
        fmt::format("cannot write {}: it needs {} bytes and {} are free", printable(path), bytes, space.available),
        "free some space there or give a path on another file system");
  }
}

}  // namespace tombolo
