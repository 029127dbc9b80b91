// Methods of Session for any communicator of its ranks.
#include <utility>

#include <tombolo/collectives/mpi/native.hpp>
#include <tombolo/collectives/mpi/planned.hpp>
#include <tombolo/framework/mpi/session.hpp>
#include <tombolo/framework/mpi/session/members_of.hpp>
#include <tombolo/platform/description/members.hpp>

namespace tombolo {

std::unique_ptr<Collectives> Session::make_collectives(Kind kind) {
  return make_collectives(kind, communicator_);
}

std::unique_ptr<Collectives> Session::make_collectives(Kind kind, MPI_Comm communicator) {
  const std::vector<Rank> members = members_of(communicator, communicator_);
  if (kind == Kind::native) return std::make_unique<NativeCollectives>(communicator);
  // Discovery needs all ranks of the session: on a subset it would wait for ever.
  if (members.size() == static_cast<std::size_t>(ranks_)) discover_or_load();
  auto planned = members == all_in_order(ranks_) ? planner() : planner()->on(members);
  clusters(communicator);
  return std::make_unique<PlannedCollectives>(communicator, std::move(planned), phantom_);
}

const ClustersAttribute& Session::clusters(MPI_Comm communicator) const {
  const std::vector<Rank> members = members_of(communicator, communicator_);
  return set_clusters(communicator, level_colors(platform(), members));
}

}  // namespace tombolo
