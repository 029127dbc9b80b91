#include <tombolo/collectives/mapping/group_schedule.hpp>

namespace tombolo {

const std::vector<const GroupSchedule*>& all_schedules() {
  static const std::vector<const GroupSchedule*> all = {
#define TOMBOLO_SCHEDULE(constant) &constant,
#include <tombolo/collectives/mapping/schedules.def>
#undef TOMBOLO_SCHEDULE
  };
  return all;
}

}  // namespace tombolo
