#pragma once

#include <string_view>
#include <vector>

#include <tombolo/collectives/mapping/message_times.hpp>

namespace tombolo {

/// A message has to reach several groups of ranks, one of which has it. What reaching them takes.
struct GroupProblem {
  int groups = 1;
  int root = 0;
  std::vector<MessageTime> messages;  ///< from * groups + to
  std::vector<Picoseconds> inside;    ///< T_k: until all of a group have it once its first rank does

  const MessageTime& message(int from, int to) const {
    return messages[static_cast<std::size_t>(from) * static_cast<std::size_t>(groups) + static_cast<std::size_t>(to)];
  }
  Picoseconds inside_of(int group) const { return inside[static_cast<std::size_t>(group)]; }
};

/// By group, those that it passes the message on to, in that order.
using GroupTree = std::vector<std::vector<int>>;

/// One way to decide who passes a message on to whom: a pure function of the problem. Kept as a constant in a file of
/// its own and named in schedules.def.
struct GroupSchedule {
  std::string_view name;
  GroupTree (*tree)(const GroupProblem& problem);
};

#define TOMBOLO_SCHEDULE(constant) extern const GroupSchedule constant;
#include <tombolo/collectives/mapping/schedules.def>
#undef TOMBOLO_SCHEDULE

/// All there are, in the order of schedules.def.
const std::vector<const GroupSchedule*>& all_schedules();

}  // namespace tombolo
