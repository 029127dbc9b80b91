#include <unistd.h>

#include <tombolo/framework/mpi/session/progress_line.hpp>
#include <tombolo/platform/system/standard_streams.hpp>

namespace tombolo {

ProgressLine::ProgressLine(const Session& session) : shown_(session.rank() == 0 && isatty(STDERR_FILENO) != 0) {}

void ProgressLine::show(const std::string& what) const {
  if (shown_) say("\r\033[K" + what);
}

}  // namespace tombolo
