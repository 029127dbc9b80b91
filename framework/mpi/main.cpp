#include <csignal>
#include <cstdlib>

#include <fmt/format.h>

#include <tombolo/framework/mpi/session/end_run.hpp>
#include <tombolo/framework/mpi/session/same_call.hpp>
#include <tombolo/platform/mpi/machine.hpp>
#include <tombolo/platform/system/attempt.hpp>
#include <tombolo/platform/system/environment.hpp>
#include <tombolo/platform/system/posix_file.hpp>
#include <tombolo/platform/system/standard_streams.hpp>
#include <tombolo/session.hpp>

namespace tombolo {

namespace {

int number_in_environment(const char* name) {
  return std::atoi(environment(name).c_str());
}

/// A starter of ranks, and the variables by which it tells them their number and rank.
struct Starter {
  const char* library;
  const char* command;
  const char* ranks;
  const char* rank;
};

constexpr Starter mpich_starter{"MPICH", "mpiexec.mpich", "PMI_SIZE", "PMI_RANK"};
constexpr Starter open_mpi_starter{"Open MPI", "mpiexec.openmpi", "OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK"};
constexpr Starter own_starter = machine::open_mpi ? open_mpi_starter : mpich_starter;
constexpr Starter other_starter = machine::open_mpi ? mpich_starter : open_mpi_starter;

/// Returns the number of processes that the other library's mpiexec has started, if each runs alone because the program
/// is built with this one; else 0.
int strangers(const Session& session) {
  if (machine::simulated() || session.ranks() > 1) return 0;
  const int processes = number_in_environment(other_starter.ranks);
  return processes > 1 ? processes : 0;
}

/// Reports this mistake on one process. The other processes return 0, because a nonzero status could end the reporting
/// process too early.
int refuse(int processes, const std::string& name) {
  if (number_in_environment(other_starter.rank) != 0) return 0;
  say(fmt::format(
      "{}: {}'s mpiexec started {} processes, but this program is built with {} and each is alone; start it "
      "by {}\n",
      name, other_starter.library, processes, mpi_library(), own_starter.command));
  return 1;
}

}  // namespace

int run_main(int argc, char** argv, const std::string& name, const std::function<void(Session&)>& program) {
  // Makes a file beyond the size limit an I/O error with a message, not a fatal signal.
  (void)std::signal(SIGXFSZ, SIG_IGN);
  open_standard_streams();
  Session session(argc, argv);
  if (const int processes = strangers(session); processes > 0) return refuse(processes, name);
  bool agreed = false;
  std::string words = attempt([&] {
    try {
      program(session);
    } catch (const AgreedError&) {
      agreed = true;
      throw;
    }
  });
  if (words.empty() || agreed) {
    // Ranks that wait for this one in a collective call learn of its end.
    const std::string apart = attempt([&] { check_same_call(session.communicator(), "ends"); });
    if (!apart.empty()) {
      if (words.empty()) words = apart;
      agreed = false;
    }
  }
  if (words.empty()) words = attempt([&] { session.keep_experience(); });
  if (words.empty()) return 0;
  const std::string line = fmt::format("{}: {}\n", name, printable(words));
  // The other ranks may be waiting for this one in a collective: the run must be ended.
  if (!agreed) end_run(session, line);
  if (session.rank() == 0) say(line);
  return 1;
}

}  // namespace tombolo
