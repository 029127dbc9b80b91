#pragma once

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <stdexcept>
#include <string>

#include <catch2/catch.hpp>
#include <sys/resource.h>
#include <unistd.h>

#include <tombolo/units.hpp>

/// Files for tests, and the errors that they meet.
namespace test_files {

namespace fs = std::filesystem;

/// A folder that goes with the test.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string name = (fs::temp_directory_path() / "tombolo-test-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) throw std::runtime_error("no temporary folder");
    path_ = name;
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  fs::path operator/(const std::string& name) const { return path_ / name; }
  const fs::path& path() const { return path_; }
  std::ptrdiff_t files() const { return std::distance(fs::directory_iterator(path_), fs::directory_iterator()); }

 private:
  fs::path path_;
};

/// Where root runs the tests: another user for as long as this lives, because root is allowed everything.
class Unprivileged {
 public:
  Unprivileged() {
    if (root_ && ::setresuid(nobody, nobody, 0) != 0) throw std::runtime_error("cannot run as another user");
  }
  ~Unprivileged() {
    if (root_ && ::setresuid(0, 0, 0) != 0) std::abort();
  }
  Unprivileged(const Unprivileged&) = delete;
  Unprivileged& operator=(const Unprivileged&) = delete;

 private:
  static constexpr uid_t nobody = 65534;
  const bool root_ = ::geteuid() == 0;
};

/// No file of this process may grow beyond so many bytes for as long as this lives: in place of a full disk.
class FileSizeLimit {
 public:
  explicit FileSizeLimit(rlim_t bytes) : handler_(std::signal(SIGXFSZ, SIG_IGN)) {
    if (::getrlimit(RLIMIT_FSIZE, &old_) != 0) throw std::runtime_error("no limit on file sizes");
    const rlimit small{bytes, old_.rlim_max};
    if (::setrlimit(RLIMIT_FSIZE, &small) != 0) throw std::runtime_error("no limit on file sizes");
  }
  ~FileSizeLimit() {
    ::setrlimit(RLIMIT_FSIZE, &old_);
    (void)std::signal(SIGXFSZ, handler_);
  }
  FileSizeLimit(const FileSizeLimit&) = delete;
  FileSizeLimit& operator=(const FileSizeLimit&) = delete;

 private:
  rlimit old_{};
  void (*handler_)(int);
};

inline fs::path put(const fs::path& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary) << bytes;
  return path;
}

inline std::string get(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// Runs what must throw an Error, checks that it is one line that names the path, and returns it.
inline std::string error_of(const fs::path& path, const std::function<void()>& run) {
  std::string message;
  try {
    run();
    FAIL("no Error for " << path);
  } catch (const tombolo::Error& error) {
    message = error.what();
  }
  CHECK(message.find(path.string()) != std::string::npos);
  CHECK(message.find('\n') == std::string::npos);
  CHECK(message.find("; ") != std::string::npos);
  return message;
}

}  // namespace test_files
