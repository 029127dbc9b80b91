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

/// Binomial tree over the groups in their order, from the root's on, whatever their links: as MPICH-G2 has it below the
/// wide area (Karonis et al. 2000).
extern const GroupSchedule binomial_schedule;
/// The fastest of the above for the problem, by finish(); the first among equals. Poly-adapt-2 of one level.
extern const GroupSchedule fastest_schedule;

/// Returns all schedules, in the order of their declarations.
const std::vector<const GroupSchedule*>& all_schedules();
/// Returns those that differ by the links they prefer: all but binomial and fastest. A search simulates each of them.
const std::vector<const GroupSchedule*>& schedules_by_links();

/// Returns the time from the root having a message to all ranks of all groups having it. A group sends to its children
/// one after another, one gap apart, before it begins inside.
Picoseconds finish(const GroupProblem& problem, const GroupTree& tree);

}  // namespace tombolo
