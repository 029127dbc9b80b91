#include "run/report.hpp"

#include <set>

#include <fmt/format.h>

namespace tombolo {

Environment environment_of(const Session& session) {
  const std::string model = session.planner()->describe();
  return {.processors = session.processors(),
          .model = model,
          .source = session.platform_source(),
          .mpi_library = mpi_library()};
}

Verdict verdict_on_phantoms() {
  return {.words = "phantom: no data was held and nothing computed; only the time that it takes was simulated"};
}

std::vector<std::string> notes_on_crowding(const std::vector<Processor>& processors) {
  std::set<std::string> crowded;
  std::vector<std::string> notes;
  for (const Processor& on : processors) {
    if (on.ranks_sharing * on.threads <= on.cores || !crowded.insert(on.host).second) continue;
    notes.push_back(
        fmt::format("{} rank{} of {} with {} thread{} each on {} core{}: they take turns, and times hold waiting",
                    on.ranks_sharing, on.ranks_sharing == 1 ? "" : "s", on.host, on.threads, on.threads == 1 ? "" : "s",
                    on.cores, on.cores == 1 ? "" : "s"));
  }
  return notes;
}

}  // namespace tombolo
