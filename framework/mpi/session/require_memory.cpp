#include <cstddef>
#include <string>
#include <vector>

#include <fmt/format.h>

#include <tombolo/framework/mpi/session/require_memory.hpp>
#include <tombolo/platform/mpi/check.hpp>
#include <tombolo/platform/mpi/machine.hpp>
#include <tombolo/platform/mpi/of_all_ranks.hpp>
#include <tombolo/platform/system/memory.hpp>
#include <tombolo/session.hpp>

namespace tombolo {

double sum_on_host(const Session& session, double mine) {
  const std::vector<Processor>& processors = session.processors();
  const std::string& here = processors[static_cast<std::size_t>(session.rank())].host;
  const std::vector<double> all = of_all_ranks(session.communicator(), mine);
  double sum = 0;
  for (std::size_t rank = 0; rank < all.size(); ++rank) {
    if (machine::simulated() || processors[rank].host == here) sum += all[rank];
  }
  return sum;
}

void require_memory(Session& session, double bytes) {
  const double together = sum_on_host(session, bytes);
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
  if (session.imagined() || machine::simulated()) return {};
  const Processor& mine = session.processors()[static_cast<std::size_t>(session.rank())];
  return of_all_ranks(session.communicator(), static_cast<double>(available_memory()) / mine.ranks_on_host);
}

void provide_memory(Session& session, double bytes, Bytes largest, bool wanted) {
  if (!machine::simulated()) {
    require_memory(session, bytes);
    return;
  }
  // At most half of the free memory, because SimGrid holds messages too. All ranks are on one real host, but its free
  // memory may change between their queries: rank 0 decides.
  int phantom = sum_on_host(session, bytes) * 2 > static_cast<double>(available_memory()) ? 1 : 0;
  check_mpi(MPI_Bcast(&phantom, 1, MPI_INT, 0, session.communicator()), "MPI_Bcast");
  if (wanted || phantom != 0) session.use_phantom_memory(largest);
}

}  // namespace tombolo
