#include <algorithm>
#include <cstddef>

#include <fmt/format.h>

#include <tombolo/framework/mpi/session/members_of.hpp>
#include <tombolo/platform/description/members.hpp>
#include <tombolo/platform/mpi/check.hpp>

namespace tombolo {

namespace {

/// Owns the group of a communicator.
class Group {
 public:
  explicit Group(MPI_Comm communicator) { check_mpi(MPI_Comm_group(communicator, &group_), "MPI_Comm_group"); }
  ~Group() { MPI_Group_free(&group_); }
  Group(const Group&) = delete;
  Group& operator=(const Group&) = delete;
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

std::vector<Rank> members_of(MPI_Comm part, MPI_Comm whole) {
  constexpr const char* remedy = "give a communicator that was made of ranks of the session's";
  if (part == MPI_COMM_NULL) throw Error("no communicator: MPI_COMM_NULL", remedy);
  int inter = 0;
  check_mpi(MPI_Comm_test_inter(part, &inter), "MPI_Comm_test_inter");
  if (inter != 0) throw Error("an intercommunicator, on which no collective is planned", remedy);
  const Group of_part(part);
  const Group of_whole(whole);
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
