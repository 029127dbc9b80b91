#include <cstdio>

#include <fmt/format.h>
#include <unistd.h>

#include <tombolo/framework/mpi/progress_line.hpp>

namespace tombolo {

ProgressLine::ProgressLine(const Session& session) : shown_(session.rank() == 0 && isatty(STDERR_FILENO) != 0) {}

void ProgressLine::show(const std::string& what) const {
  if (shown_) fmt::print(stderr, "\r\033[K{}", what);
}

}  // namespace tombolo
