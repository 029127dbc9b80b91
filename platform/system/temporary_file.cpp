#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
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

#include <tombolo/platform/system/posix_file.hpp>
#include <tombolo/platform/system/temporary_file.hpp>

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

/// The common prefix of the names of all temporary files of a target.
std::string beginning(const fs::path& target) {
  constexpr std::size_t room = 200;  // a file name has at most 255 bytes
  return fmt::format(".{}.", target.filename().native().substr(0, room));
}

/// Returns a candidate name, with the target's name in it for people; O_EXCL decides between hosts with equal pids.
fs::path name_of(const fs::path& target, int attempt) {
  return target.parent_path() / fmt::format("{}{}.{}{}", beginning(target), ::getpid(), attempt, ending);
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
  for (fs::directory_iterator entry(target.parent_path(), error); !error && entry != fs::directory_iterator();
       entry.increment(error)) {
    if (!is_name_of(target, entry->path().filename().native())) continue;
    // Without blocking and without following links: the name may belong to another user's pipe or link.
    const int descriptor = ::open(entry->path().c_str(), O_WRONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (descriptor < 0) continue;
    if (lock(descriptor) == 0) ::unlink(entry->path().c_str());
    ::close(descriptor);
  }
}

}  // namespace

RemovedOnSignal::RemovedOnSignal(std::filesystem::path path) : path_(std::move(path)) {
  for (const int signal_number : {SIGINT, SIGTERM, SIGHUP}) install(signal_number);
  for (std::atomic<const char*>& free : to_remove) {
    const char* nothing = nullptr;
    if (free.compare_exchange_strong(nothing, path_.c_str())) return;
  }
}

RemovedOnSignal::~RemovedOnSignal() {
  for (std::atomic<const char*>& taken : to_remove) {
    const char* mine = path_.c_str();
    if (taken.compare_exchange_strong(mine, nullptr)) return;
  }
}

TemporaryFile::TemporaryFile(const fs::path& target, fs::path shown_as, bool may_be_nameless)
    : target_(target.has_parent_path() ? target : "." / target), shown_as_(std::move(shown_as)) {
  remove_left_behind(target_);
  if (!may_be_nameless || !create_nameless()) create_named();
}

TemporaryFile::~TemporaryFile() {
  if (named_) ::unlink(path_.c_str());
}

bool TemporaryFile::create_nameless() {
  const int descriptor = ::open(target_.parent_path().c_str(), O_WRONLY | O_TMPFILE | O_CLOEXEC, 0666);
  if (descriptor < 0) return false;  // any other error recurs for the named file
  path_ = fmt::format("/proc/{}/fd/{}", ::getpid(), descriptor);
  struct stat itself {};
  struct stat found {};
  const bool seen = ::fstat(descriptor, &itself) == 0 && ::stat(path_.c_str(), &found) == 0 &&
                    itself.st_dev == found.st_dev && itself.st_ino == found.st_ino;
  if (seen) {
    (void)lock(descriptor);  // used once the file has a name
    descriptor_ = descriptor;
  } else {
    ::close(descriptor);
  }
  return seen;
}

void TemporaryFile::create_named() {
  for (int attempt = 0;; ++attempt) {
    path_ = name_of(target_, attempt);
    const int descriptor = ::open(path_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (descriptor < 0 && errno != EEXIST) throw_file_error("write", shown_as_, errno);
    if (descriptor < 0) continue;
    // Between open() and lock() another process may have removed the file as left behind.
    struct stat status {};
    if (lock(descriptor) != EAGAIN && ::fstat(descriptor, &status) == 0 && status.st_nlink > 0) {
      descriptor_ = descriptor;
      break;
    }
    ::close(descriptor);
  }
  named_ = true;
  on_signal_.emplace(path_);
}

void TemporaryFile::give_name() {
  for (int attempt = 0; !named_; ++attempt) {
    const fs::path name = name_of(target_, attempt);
    named_ = ::linkat(AT_FDCWD, path_.c_str(), AT_FDCWD, name.c_str(), AT_SYMLINK_FOLLOW) == 0;
    if (named_) path_ = name;
    if (!named_ && errno != EEXIST) throw_file_error("write", shown_as_, errno);
  }
}

void TemporaryFile::rename() {
  give_name();
  if (::rename(path_.c_str(), target_.c_str()) != 0) throw_file_error("write", shown_as_, errno);
  named_ = false;
  on_signal_.reset();
}

}  // namespace tombolo
