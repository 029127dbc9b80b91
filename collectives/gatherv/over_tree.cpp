#include <tombolo/collectives/gatherv/along_blocks.hpp>
#include <tombolo/collectives/gatherv/over_tree.hpp>

namespace tombolo {

void gatherv_over_tree(const Shape& shape, const Request& request, const Parameters& parameters, Rank rank,
                       ScheduleWriter& writer) {
  const Places places(request, parameters);
  const SubtreeBlocks blocks(request, places, Tree(shape, request.ranks).node(places.place(rank)));
  gatherv_along(blocks, request, parameters, rank, writer);
}

void learn_gatherv_over_tree(const Shape& shape, const Request& request, const Parameters& parameters, Rank rank,
                             ScheduleWriter& writer) {
  const Places places(request, parameters);
  learn_gatherv_along(SubtreeBlocks(request, places, Tree(shape, request.ranks).node(places.place(rank))), writer);
}

}  // namespace tombolo
