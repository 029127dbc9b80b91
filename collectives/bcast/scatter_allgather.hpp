#pragma once

#include <tombolo/collectives/algorithm.hpp>
#include <tombolo/collectives/allgatherv/allgather.hpp>
#include <tombolo/collectives/shapes.hpp>
#include <tombolo/collectives/tree.hpp>

namespace tombolo {

/// Writes a broadcast in two halves (van de Geijn): the vector is cut into a share for each place, which go down a
/// binomial tree, and an exchange gives all shares to all. A place has its subtree's shares after the first half, and
/// they are not sent to it again in the second.
template <class Gather>
void write_scatter_allgather(const Request& request, const Parameters& parameters, Rank rank, ScheduleWriter& writer,
                             const Gather& gather) {
  const Places places(request, parameters);
  const PlacedBlocks shares = PlacedBlocks::even(request.count, places);
  const Tree tree(binomial_shape(), request.ranks);
  const int place = places.place(rank);
  const Tree::Node node = tree.node(place);
  const auto of = [&shares](const Subtree& subtree) {
    return shares.blocks({subtree.top, subtree.size}, Buffer::output);
  };
  if (node.parent >= 0) writer.receive(places.rank(node.parent), of(node.subtree));
  for (const Subtree& child : node.children) writer.send(places.rank(child.top), of(child));
  gather(Allgather{
      .blocks = shares,
      .place = place,
      .own = shares.block(place, Buffer::output),
      .held =
          [&tree](int at) {
            const Subtree subtree = tree.node(at).subtree;
            return Group{subtree.top, subtree.size};
          },
  });
}

}  // namespace tombolo
