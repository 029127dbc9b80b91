#include <tombolo/collectives/scatterv/along_blocks.hpp>
#include <tombolo/collectives/scatterv/over_tree.hpp>

namespace tombolo {

void scatterv_over_tree(const Shape& shape, const Request& request, const Parameters& parameters, Rank rank,
                        ScheduleWriter& writer) {
  const Places places(request, parameters);
  const SubtreeBlocks blocks(request, places, Tree(shape, request.ranks).node(places.place(rank)));
  scatterv_along(blocks, request, parameters, rank, writer);
}

void learn_scatterv_over_tree(const Shape& shape, const Request& request, const Parameters& parameters, Rank rank,
                              ScheduleWriter& writer) {
  const Places places(request, parameters);
  learn_scatterv_along(SubtreeBlocks(request, places, Tree(shape, request.ranks).node(places.place(rank))), writer);
}

}  // namespace tombolo
