#pragma once

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <stdexcept>
#include <string>
#include <vector>

#include <catch2/catch.hpp>
#include <unistd.h>

#include <tombolo/platform/error.hpp>

namespace npy_files {

namespace fs = std::filesystem;

/// A folder that goes with the test.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string name = (fs::temp_directory_path() / "tombolo-npy-XXXXXX").string();
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

inline fs::path put(const fs::path& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary) << bytes;
  return path;
}

inline std::string get(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// Magic, version, length and the dictionary's text.
inline std::string header(const std::string& dictionary, int version = 1) {
  std::string result("\x93NUMPY");
  result += {static_cast<char>(version), '\0'};
  for (int byte = 0; byte < (version == 1 ? 2 : 4); ++byte) {
    result += static_cast<char>(dictionary.size() >> (8 * byte) & 0xff);
  }
  return result + dictionary;
}

inline std::string dictionary(const std::string& descr, bool fortran_order, const std::string& shape) {
  return "{'descr': '" + descr + "', 'fortran_order': " + (fortran_order ? "True" : "False") + ", 'shape': " + shape +
         ", }\n";
}

template <class T>
std::string bytes_of(const std::vector<T>& values) {
  return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)};
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

}  // namespace npy_files
