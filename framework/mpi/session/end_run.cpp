#include <algorithm>
#include <optional>
#include <vector>

#include <tombolo/framework/mpi/session/end_run.hpp>
#include <tombolo/platform/mpi/machine.hpp>
#include <tombolo/platform/system/standard_streams.hpp>

namespace tombolo {

namespace {

constexpr int failed_tag = 32'767;  // the largest tag that every MPI library allows
constexpr Picoseconds ms = 1'000'000'000;

// Returns a rank that has announced its failure, if any. On MPI errors there is none: this rank then reports itself.
std::optional<Rank> who_failed(MPI_Comm communicator) {
  int found = 0;
  MPI_Status status;
  MPI_Iprobe(MPI_ANY_SOURCE, failed_tag, communicator, &found, &status);
  if (found == 0) return std::nullopt;
  MPI_Recv(nullptr, 0, MPI_BYTE, status.MPI_SOURCE, failed_tag, communicator, MPI_STATUS_IGNORE);
  return status.MPI_SOURCE;
}

// Elects the rank that reports. A rank that hears of another failure before announcing its own does not report. Among
// the ranks that have announced, the lowest reports; all announcements arrive within all_have_heard.
bool has_the_word(const Session& session) {
  constexpr Picoseconds all_have_heard = 200 * ms;
  if (machine::simulated() || session.ranks() == 1) return true;  // in a simulation the first abort ends all ranks
  if (who_failed(session.communicator())) return false;
  std::vector<MPI_Request> told;
  for (Rank rank = 0; rank < session.ranks(); ++rank) {
    if (rank == session.rank()) continue;
    MPI_Isend(nullptr, 0, MPI_BYTE, rank, failed_tag, session.communicator(), &told.emplace_back());
  }
  if (session.rank() == 0) return true;
  for (const Picoseconds end = machine::now() + all_have_heard; machine::now() < end; machine::sleep(ms)) {
    if (who_failed(session.communicator()).value_or(session.rank()) < session.rank()) return false;
  }
  return true;
}

}  // namespace

void end_run(const Session& session, const std::string& line) {
  constexpr Picoseconds long_enough = 5 * picoseconds_per_second;  // time for the reporting rank to end this one
  if (!has_the_word(session)) machine::sleep(long_enough);
  say(line);
  machine::abort(1);
}

}  // namespace tombolo
