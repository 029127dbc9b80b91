#include <tombolo/collectives/algorithm.hpp>
#include <tombolo/collectives/nested_groups.hpp>
#include <tombolo/collectives/places.hpp>

namespace tombolo {

namespace {

constexpr int usual_radix = 4;

// Groups of places that have heard from one another signal others, then the groups of these do.
void write(const Request& request, const Parameters& parameters, Rank rank, ScheduleWriter& writer) {
  const Places places(request, parameters);
  const int place = places.place(rank);
  const int radix = parameters.radix > 0 ? parameters.radix : usual_radix;
  const std::vector<GroupLevel> levels = nested_groups(places.size(), radix, place);
  std::vector<StepId> heard;
  for (auto level = levels.rbegin(); level != levels.rend(); ++level) {
    const int index = place - level->own().first;
    const std::vector<StepId> before = heard;
    for (int step = 1; step < level->count(); ++step) {
      heard.push_back(writer.await(places.rank(partner(level->further(-step), index)), {}));
      for (const int target : partnered(level->own(), index, level->further(step))) {
        writer.signal(places.rank(target), before);
      }
    }
  }
}

}  // namespace

const Algorithm barrier_exchange{
    .name = "exchange",
    .operation = Operation::barrier,
    .summary = "groups of `radix` signal one another, then groups of groups; near ranks first",
    .write = write,
    .radix = usual_radix,
};

}  // namespace tombolo
