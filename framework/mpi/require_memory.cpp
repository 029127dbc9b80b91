#include <fmt/format.h>

#include <tombolo/framework/mpi/agree.hpp>
#include <tombolo/framework/mpi/require_memory.hpp>
#include <tombolo/framework/mpi/session.hpp>
#include <tombolo/models/mpi/check.hpp>
#include <tombolo/platform/memory.hpp>

namespace tombolo {

void require_memory(Session& session, double bytes) {
  double on_host = 0;
  check_mpi(MPI_Allreduce(&bytes, &on_host, 1, MPI_DOUBLE, MPI_SUM, session.on_host()), "MPI_Allreduce");
  const std::string& host = session.processors()[static_cast<std::size_t>(session.rank())].host;
  agree(session.communicator(), [&] {
    const auto available = static_cast<double>(available_memory());
    if (on_host <= available) return;
    throw Error(fmt::format("host {} needs {:.2f} GB for its ranks and has {:.2f} GB free", host, on_host * 1e-9,
                            available * 1e-9),
                "take a smaller problem, fewer ranks on it, or more hosts");
  });
}

}  // namespace tombolo
