// Allgathers by recursive multiplying (recursive doubling for any radix).

#include <tombolo/collectives/algorithms/allgatherv/allgather.hpp>
#include <tombolo/collectives/plan/algorithm.hpp>

namespace tombolo {

void allgather_over_groups(const Allgather& all, int radix, ScheduleWriter& writer) {
  exchange_over_groups(
      all.size(), all.place, radix,
      [&](int source, const Group& group) {
        writer.receive(all.rank(source), all.into(all.lacking(all.place, group)));
      },
      [&](int target, const Group& own) { writer.send(all.rank(target), all.from(all.lacking(target, own))); });
}

namespace {

constexpr int usual_radix = 4;

// With a fixed radix, or 0 for that of the parameters.
template <int fixed>
void write(const Request& request, const Parameters& parameters, Rank rank, ScheduleWriter& writer) {
  const int radix = fixed > 0 ? fixed : parameters.radix_or(usual_radix);
  write_allgatherv(request, parameters, rank, writer,
                   [&](const Allgather& all) { allgather_over_groups(all, radix, writer); });
}

}  // namespace

const Algorithm allgatherv_recursive_doubling{
    .name = "recursive_doubling",
    .operation = Operation::allgatherv,
    .summary = "pairs exchange what they have, then pairs of pairs; ceil(log2(ranks)) rounds, near ranks first",
    .write = write<2>,
    .near = NearRanks::far_apart,
};

const Algorithm allgatherv_recursive_multiplying{
    .name = "exchange",
    .operation = Operation::allgatherv,
    .summary = "groups of `radix` exchange all they have, then groups of groups; fewer rounds than doubling",
    .write = write<0>,
    .near = NearRanks::far_apart,
    .radix = usual_radix,
};

}  // namespace tombolo
