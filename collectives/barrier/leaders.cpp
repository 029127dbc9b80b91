#include <tombolo/collectives/algorithm.hpp>
#include <tombolo/collectives/barrier/along_role.hpp>
#include <tombolo/collectives/barrier/over_groups.hpp>
#include <tombolo/collectives/mapped_routes.hpp>
#include <tombolo/collectives/tops.hpp>

namespace tombolo {

namespace {

void write(const Request& request, const Parameters& parameters, Rank rank, ScheduleWriter& writer) {
  const MappedTrees trees = trees_or_several_tops(request, parameters);
  const RankTree& tree = trees.tree(0);
  const Role down = tree.role(rank, Direction::down);
  std::vector<StepId> come = barrier_up(tree.role(rank, Direction::up), writer);
  if (down.parent == nobody) {
    const Tops tops(tree, rank);
    const int radix = parameters.radix > 0 ? parameters.radix : tops_radix;
    const auto rank_of = [&tops](int index) { return tops.rank(index); };
    come = barrier_over_groups(tops.size(), tops.own(), radix, rank_of, std::move(come), writer);
  }
  barrier_down(down, std::move(come), writer);
}

}  // namespace

const Algorithm barrier_leaders{
    .name = "leaders",
    .operation = Operation::barrier,
    .summary = "signals go up to the leaders of clusters, which exchange them, and down again: long links once",
    .write = write,
    .radix = tops_radix,
    .mapped = true,
    .several_tops = true,
};

}  // namespace tombolo
