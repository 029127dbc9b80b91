// Methods of Session for tuning.

#include <cstdlib>

#include <tombolo/framework/mpi/agree.hpp>
#include <tombolo/framework/mpi/session.hpp>
#include <tombolo/platform/mpi/text_from.hpp>
#include <tombolo/platform/system/posix_file.hpp>

namespace tombolo {

void Session::use_tuning(const std::string& path) {
  const std::vector<std::string> hosts = hosts_by_rank();
  std::string text;
  agree(communicator_, [&] {
    if (rank_ != 0) return;
    const Tuning read = read_tuning(path);
    read.check_fits(hosts, printable(path));
    text = to_json(read);
  });
  tuning_ = tuning_from_json(text_from(communicator_, 0, std::move(text)), path);
  if (planner_) make_planner();
}

// Loads the tuning named by the environment.
void Session::seek_tuning() {
  const char* const named = rank_ == 0 ? std::getenv("TOMBOLO_TUNING") : nullptr;
  const std::string path = text_from(communicator_, 0, named == nullptr ? std::string() : std::string(named));
  if (!path.empty()) use_tuning(path);
}

}  // namespace tombolo
