#include <tombolo/collectives/barrier/over_groups.hpp>
#include <tombolo/collectives/nested_groups.hpp>

namespace tombolo {

std::vector<StepId> barrier_over_groups(int places, int place, int radix, const std::function<Rank(int)>& rank,
                                        std::vector<StepId> heard, ScheduleWriter& writer) {
  const std::vector<GroupLevel> levels = nested_groups(places, radix, place);
  for (auto level = levels.rbegin(); level != levels.rend(); ++level) {
    const int index = place - level->own().first;
    const std::vector<StepId> before = heard;
    for (int step = 1; step < level->count(); ++step) {
      heard.push_back(writer.await(rank(partner(level->further(-step), index)), {}));
      for (const int target : partnered(level->own(), index, level->further(step))) {
        writer.signal(rank(target), before);
      }
    }
  }
  return heard;
}

}  // namespace tombolo
