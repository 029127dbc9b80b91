#pragma once

#include <string_view>
#include <vector>

#include <tombolo/collectives/mapping/message_times.hpp>

namespace tombolo {

/// The times of sending a message from one group of ranks to all others.
struct GroupProblem {
  int groups = 1;
  int root = 0;
  std::vector<MessageTime> messages;  ///< message times, at index from * groups + to
  std::vector<Picoseconds>
      inside;  ///< T_k: time from the first rank of a group having the message to all its ranks having it

  const MessageTime& message(int from, int to) const {
    return messages[static_cast<std::size_t>(from) * static_cast<std::size_t>(groups) + static_cast<std::size_t>(to)];
  }
  Picoseconds inside_of(int group) const { return inside[static_cast<std::size_t>(group)]; }
};

/// The children of each group, in sending order.
using GroupTree = std::vector<std::vector<int>>;

/// A heuristic that builds the tree between groups: a pure function of the problem.
struct GroupSchedule {
  std::string_view name;
  GroupTree (*tree)(const GroupProblem& problem);
};

/// Flat tree from the root's group, as in MagPIe (Kielmann et al. 1999).
extern const GroupSchedule flat_schedule;
/// First edge first (Bhat, Raghavendra and Prasanna 1998; Steffenel and Mounié 2006): least L_ij, regardless of the
/// sender's ready time.
extern const GroupSchedule fef_schedule;
/// Early completion edge first (Bhat, Raghavendra and Prasanna 1998): least RT_i + g_ij + L_ij.
extern const GroupSchedule ecef_schedule;
/// ECEF with lookahead (Bhat, Raghavendra and Prasanna 1998): F_j is the least g_jk + L_jk, so that groups near to
/// others come first.
extern const GroupSchedule ecef_la_schedule;
/// ECEF-LAt (Steffenel and Mounié 2006): F_j is the least g_jk + L_jk + T_k.
extern const GroupSchedule ecef_la_least_schedule;
/// ECEF-LAT (Steffenel and Mounié 2006): F_j is the largest g_jk + L_jk + T_k.
extern const GroupSchedule ecef_la_largest_schedule;
/// Bottom-up (Steffenel and Mounié 2006): next is the group with the latest earliest finish, the least RT_i + g_ij +
/// L_ij + T_j over all senders.
extern const GroupSchedule bottom_up_schedule;

/// Returns all schedules, in the order of their declarations.
const std::vector<const GroupSchedule*>& all_schedules();

}  // namespace tombolo
