// Methods of Session for any communicator of its ranks.
#include <algorithm>
#include <cstddef>
#include <utility>

#include <fmt/format.h>

#include <tombolo/collectives/choose/planner.hpp>
#include <tombolo/collectives/mpi/native.hpp>
#include <tombolo/collectives/mpi/planned.hpp>
#include <tombolo/framework/mpi/clusters_attribute.hpp>
#include <tombolo/framework/mpi/session/members_of.hpp>
#include <tombolo/framework/mpi/session/session_state.hpp>
#include <tombolo/platform/description/members.hpp>
#include <tombolo/platform/mpi/check.hpp>
#include <tombolo/session.hpp>

namespace tombolo {

namespace {

/// Owns the group of a communicator.
class OwnedGroup {
 public:
  explicit OwnedGroup(MPI_Comm communicator) { check_mpi(MPI_Comm_group(communicator, &group_), "MPI_Comm_group"); }
  ~OwnedGroup() { MPI_Group_free(&group_); }
  OwnedGroup(const OwnedGroup&) = delete;
  OwnedGroup& operator=(const OwnedGroup&) = delete;
  MPI_Group get() const { return group_; }
  int size() const {
    int size = 0;
    check_mpi(MPI_Group_size(group_, &size), "MPI_Group_size");
    return size;
  }

 private:
  MPI_Group group_ = MPI_GROUP_NULL;
};

}  // namespace

std::unique_ptr<Collectives> Session::make_collectives(Kind kind) {
  return make_collectives(kind, communicator_);
}

std::unique_ptr<Collectives> Session::make_collectives(Kind kind, MPI_Comm communicator) {
  const std::vector<Rank> members = members_of(communicator, communicator_);
  if (kind == Kind::native) return std::make_unique<NativeCollectives>(communicator);
  // Discovery needs all ranks of the session: on a subset it would wait for ever.
  if (members.size() == static_cast<std::size_t>(ranks_)) discover_or_load();
  const bool all = members == all_in_order(ranks_);
  auto planned = all ? planner() : planner()->on(members);
  clusters(communicator);
  return std::make_unique<PlannedCollectives>(communicator, std::move(planned), phantom_,
                                              all ? state_->call_times : nullptr);
}

const ClustersAttribute& Session::clusters(MPI_Comm communicator) const {
  const std::vector<Rank> members = members_of(communicator, communicator_);
  return set_clusters(communicator, level_colors(platform(), members));
}

std::vector<Rank> members_of(MPI_Comm part, MPI_Comm whole) {
  constexpr const char* remedy = "give a communicator that was made of ranks of the session's";
  if (part == MPI_COMM_NULL) throw Error("no communicator: MPI_COMM_NULL", remedy);
  int inter = 0;
  check_mpi(MPI_Comm_test_inter(part, &inter), "MPI_Comm_test_inter");
  if (inter != 0) throw Error("an intercommunicator, on which no collective is planned", remedy);
  const OwnedGroup of_part(part);
  const OwnedGroup of_whole(whole);
  const std::vector<Rank> ranks = all_in_order(of_part.size());
  std::vector<Rank> members(ranks.size());
  check_mpi(MPI_Group_translate_ranks(of_part.get(), of_part.size(), ranks.data(), of_whole.get(), members.data()),
            "MPI_Group_translate_ranks");
  const auto stranger = std::find(members.begin(), members.end(), MPI_UNDEFINED);
  if (stranger == members.end()) return members;
  throw Error(fmt::format("rank {} of {} in a communicator is none of the session's {} ranks",
                          stranger - members.begin(), ranks.size(), of_whole.size()),
              remedy);
}

}  // namespace tombolo
