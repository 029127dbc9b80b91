#include <tombolo/collectives/algorithm.hpp>
#include <tombolo/collectives/mapped_routes.hpp>
#include <tombolo/collectives/scatterv/along_blocks.hpp>

namespace tombolo {

namespace {

void write(const Request& request, const Parameters& parameters, Rank rank, ScheduleWriter& writer) {
  const MappedTrees trees = trees_or_binomial(request, parameters);
  const RankTree& tree = trees.tree(0);
  const Places places(request, {.order = tree.order()});
  scatterv_along(SubtreeBlocks(request, places, tree.node(tree.place(rank))), request, parameters, rank, writer);
}

void learn(const Request& request, const Parameters& parameters, Rank rank, ScheduleWriter& writer) {
  const MappedTrees trees = trees_or_binomial(request, parameters);
  const RankTree& tree = trees.tree(0);
  const Places places(request, {.order = tree.order()});
  learn_scatterv_along(SubtreeBlocks(request, places, tree.node(tree.place(rank))), writer);
}

}  // namespace

const Algorithm scatterv_mapped{
    .name = "mapped",
    .operation = Operation::scatterv,
    .summary = "blocks travel down a tree made for the platform and for their sizes",
    .write = write,
    .learn = learn,
    .segments = true,
    .mapped = true,
};

}  // namespace tombolo
