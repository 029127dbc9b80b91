// The methods of Session that work on any communicator of its ranks.
#include <fmt/format.h>

#include <tombolo/collectives/mpi/native.hpp>
#include <tombolo/collectives/mpi/planned.hpp>
#include <tombolo/framework/mpi/members_of.hpp>
#include <tombolo/framework/mpi/session.hpp>
#include <tombolo/platform/error.hpp>
#include <tombolo/platform/members.hpp>

namespace tombolo {

std::vector<Rank> Session::plannable(MPI_Comm communicator) {
  std::vector<Rank> members = members_of(communicator, communicator_);
  // Ranks that are not there could not take part in measuring, and those that are would wait for ever.
  if (members.size() < static_cast<std::size_t>(ranks_) && !planner_) {
    throw Error(fmt::format("no platform is known yet to plan on for {} of {} ranks", members.size(), ranks_),
                "call Session::planner() on all ranks first");
  }
  planner();
  return members;
}

std::unique_ptr<Collectives> Session::collectives(Kind kind, MPI_Comm communicator) {
  if (kind == Kind::native) {
    members_of(communicator, communicator_);  // throws where planned ones would
    return std::make_unique<NativeCollectives>(communicator);
  }
  const std::vector<Rank> members = plannable(communicator);
  set_clusters(communicator, level_colors(platform(), members));
  return std::make_unique<PlannedCollectives>(
      communicator, members == all_in_order(ranks_) ? planner() : planner()->on(members), Scratch(phantom_));
}

const ClustersAttribute& Session::clusters(MPI_Comm communicator) {
  const std::vector<Rank> members = plannable(communicator);
  return set_clusters(communicator, level_colors(platform(), members));
}

}  // namespace tombolo
