// Allgathers by recursive multiplying (recursive doubling for any radix).

#include <tombolo/collectives/algorithms/allgatherv/allgather.hpp>
#include <tombolo/collectives/plan/algorithm.hpp>

namespace tombolo {

void allgather_over_groups(const Allgather& all, int radix, ScheduleWriter& writer) {
  const std::vector<GroupLevel> levels = radix_groups(all.size(), radix, all.place);
  for (auto level = levels.rbegin(); level != levels.rend(); ++level) {
    const Group& own = level->own();
    const int index = all.place - own.first;
    for (int step = 1; step < level->count(); ++step) {
      const Group& source = level->further(-step);
      writer.receive(all.rank(partner(source, index)), all.into(all.lacking(all.place, source)));
      for (const int target : partnered(own, index, level->further(step))) {
        writer.send(all.rank(target), all.from(all.lacking(target, own)));
      }
    }
  }
}

namespace {

constexpr int usual_radix = 4;

void write_recursive_doubling(const Request& request, const Parameters& parameters, Rank rank, ScheduleWriter& writer) {
  write_allgatherv(request, parameters, rank, writer,
                   [&](const Allgather& all) { allgather_over_groups(all, 2, writer); });
}

void write_recursive_multiplying(const Request& request, const Parameters& parameters, Rank rank,
                                 ScheduleWriter& writer) {
  write_allgatherv(request, parameters, rank, writer,
                   [&](const Allgather& all) { allgather_over_groups(all, parameters.radix_or(usual_radix), writer); });
}

}  // namespace

const Algorithm allgatherv_recursive_doubling{
    .name = "recursive_doubling",
    .operation = Operation::allgatherv,
    .summary = "pairs exchange what they have, then pairs of pairs; ceil(log2(ranks)) rounds, near ranks first",
    .write = write_recursive_doubling,
};

const Algorithm allgatherv_recursive_multiplying{
    .name = "exchange",
    .operation = Operation::allgatherv,
    .summary = "groups of `radix` exchange all they have, then groups of groups; fewer rounds than doubling",
    .write = write_recursive_multiplying,
    .radix = usual_radix,
};

}  // namespace tombolo
