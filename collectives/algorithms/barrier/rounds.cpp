// Barriers in rounds: each rank signals other ranks in every round, at growing distances (dissemination) or in growing
// groups.

#include <algorithm>

#include <tombolo/collectives/algorithms/barrier/rounds.hpp>
#include <tombolo/collectives/plan/algorithm.hpp>
#include <tombolo/collectives/topology/radix_groups.hpp>
#include <tombolo/collectives/topology/rank_order.hpp>

namespace tombolo {

std::vector<StepId> barrier_over_groups(int places, int place, int radix, const std::function<Rank(int)>& rank,
                                        std::vector<StepId> heard, ScheduleWriter& writer) {
  const std::vector<GroupLevel> levels = radix_groups(places, radix, place);
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

namespace {

constexpr int dissemination_radix = 2;
constexpr int multiplying_radix = 4;

// After round k a rank has been signalled, directly or indirectly, by the radix^k - 1 virtual ranks before it (Hensgen,
// Finkel and Manber 1988, for radix 2).
void write_dissemination(const Request& request, const Parameters& parameters, Rank rank, ScheduleWriter& writer) {
  const RankOrder rank_order(request.ranks, request.root, parameters.order);
  const std::int64_t radix = parameters.radix_or(dissemination_radix);
  const int size = rank_order.size();
  const int place = rank_order.place(rank);
  std::vector<StepId> heard;
  for (std::int64_t distance = 1; distance < size; distance *= radix) {
    const std::vector<StepId> before = heard;
    for (std::int64_t away = distance; away < std::min<std::int64_t>(radix * distance, size); away += distance) {
      const int steps = static_cast<int>(away);
      heard.push_back(writer.await(rank_order.rank((place - steps + size) % size), {}));
      writer.signal(rank_order.rank((place + steps) % size), before);
    }
  }
}

void write_recursive_multiplying(const Request& request, const Parameters& parameters, Rank rank,
                                 ScheduleWriter& writer) {
  const RankOrder rank_order(request.ranks, request.root, parameters.order);
  const int radix = parameters.radix_or(multiplying_radix);
  const auto rank_of = [&rank_order](int place) { return rank_order.rank(place); };
  barrier_over_groups(rank_order.size(), rank_order.place(rank), radix, rank_of, {}, writer);
}

}  // namespace

const Algorithm barrier_dissemination{
    .name = "dissemination",
    .operation = Operation::barrier,
    .summary = "every rank signals `radix` - 1 ranks, ever farther, in every round; ceil(log_radix(ranks)) rounds",
    .write = write_dissemination,
    .radix = dissemination_radix,
};

const Algorithm barrier_recursive_multiplying{
    .name = "exchange",
    .operation = Operation::barrier,
    .summary = "groups of `radix` signal one another, then groups of groups; near ranks first",
    .write = write_recursive_multiplying,
    .radix = multiplying_radix,
};

}  // namespace tombolo
