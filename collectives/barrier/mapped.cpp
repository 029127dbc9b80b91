#include <tombolo/collectives/algorithm.hpp>
#include <tombolo/collectives/barrier/along_role.hpp>
#include <tombolo/collectives/mapped_routes.hpp>

namespace tombolo {

namespace {

void write(const Request& request, const Parameters& parameters, Rank rank, ScheduleWriter& writer) {
  const MappedTrees trees = trees_or_binomial(request, parameters);
  const RankTree& tree = trees.tree(0);
  barrier_down(tree.role(rank, Direction::down), barrier_up(tree.role(rank, Direction::up), writer), writer);
}

}  // namespace

const Algorithm barrier_mapped{
    .name = "mapped",
    .operation = Operation::barrier,
    .summary = "signals go up a tree made for the platform and down again",
    .write = write,
    .mapped = true,
};

}  // namespace tombolo
