#include <string>

#include <fmt/format.h>

#include <tombolo/framework/mpi/agree.hpp>
#include <tombolo/framework/mpi/require_memory.hpp>
#include <tombolo/framework/mpi/session.hpp>
#include <tombolo/platform/memory.hpp>
#include <tombolo/platform/mpi/check.hpp>
#include <tombolo/platform/mpi/machine.hpp>
#include <tombolo/platform/mpi/of_all_ranks.hpp>

namespace tombolo {

namespace {

// What all ranks that share this one's memory need.
double needed_together(Session& session, double bytes) {
  double together = 0;
  check_mpi(MPI_Allreduce(&bytes, &together, 1, MPI_DOUBLE, MPI_SUM, session.sharing_memory()), "MPI_Allreduce");
  return together;
}

}  // namespace

void require_memory(Session& session, double bytes) {
  const double together = needed_together(session, bytes);
  const std::string& host = session.processors()[static_cast<std::size_t>(session.rank())].host;
  agree(session.communicator(), [&] {
    const auto available = static_cast<double>(available_memory());
    if (together <= available) return;
    throw Error(fmt::format("host {} needs {:.2f} GB for its ranks and has {:.2f} GB free", host, together * 1e-9,
                            available * 1e-9),
                "take a smaller problem, fewer ranks on it, or more hosts");
  });
}

std::vector<double> memory_of_ranks(Session& session) {
  if (machine::simulated()) return {};
  const Processor& mine = session.processors()[static_cast<std::size_t>(session.rank())];
  return of_all_ranks(session.communicator(), static_cast<double>(available_memory()) / mine.ranks_on_host);
}

void provide_memory(Session& session, double bytes, Bytes largest, bool wanted) {
  if (!machine::simulated()) {
    require_memory(session, bytes);
    return;
  }
  // Half of it, for SimGrid holds messages too. All ranks are on one real host, but what is free there may change
  // between their questions: rank 0 decides.
  int phantom = needed_together(session, bytes) * 2 > static_cast<double>(available_memory()) ? 1 : 0;
  check_mpi(MPI_Bcast(&phantom, 1, MPI_INT, 0, session.communicator()), "MPI_Bcast");
  if (wanted || phantom != 0) session.use_phantom_memory(largest);
}

}  // namespace tombolo
