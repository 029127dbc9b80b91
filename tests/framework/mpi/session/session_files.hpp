#pragma once

#include <memory>
#include <string>

#include <mpi.h>

#include <tombolo/platform/mpi/text_from.hpp>
#include <tombolo/session.hpp>

#include "support/files.hpp"
#include "support/variable.hpp"

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

}  // namespace tombolo::test
