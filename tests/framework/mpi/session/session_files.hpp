#pragma once

#include <cstdlib>
#include <memory>
#include <optional>
#include <string>

#include <mpi.h>

#include <tombolo/platform/mpi/text_from.hpp>
#include <tombolo/session.hpp>

#include "support/files.hpp"

namespace tombolo::test {

inline Session make_session() {
  static int argc = 0;
  static char** argv = nullptr;
  return Session(argc, argv);
}

// A folder of rank 0's that all ranks know and that goes with the test case, whichever way it ends.
class SharedFolder {
 public:
  SharedFolder() {
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) own_ = std::make_unique<test_files::TemporaryFolder>();
    path_ = text_from(MPI_COMM_WORLD, 0, own_ ? own_->path().string() : "");
  }
  std::string operator/(const std::string& name) const { return path_ + "/" + name; }
  std::ptrdiff_t files() const {
    std::error_code none;
    const test_files::fs::directory_iterator all(path_ + "/cache", none);
    return none ? 0 : std::distance(begin(all), end(all));
  }

 private:
  std::unique_ptr<test_files::TemporaryFolder> own_;
  std::string path_;
};

// A variable of the environment, while this lives.
class Variable {
 public:
  Variable(const char* name, const std::string& value) : name_(name) {
    if (const char* const before = std::getenv(name)) before_ = before;
    ::setenv(name, value.c_str(), 1);
  }
  ~Variable() {
    if (before_) {
      ::setenv(name_, before_->c_str(), 1);
    } else {
      ::unsetenv(name_);
    }
  }
  Variable(const Variable&) = delete;
  Variable& operator=(const Variable&) = delete;

 private:
  const char* name_;
  std::optional<std::string> before_;
};

}  // namespace tombolo::test
