#include <algorithm>
#include <numeric>

#include <tombolo/collectives/mapping/placed_order.hpp>
#include <tombolo/collectives/mapping/stated_mapping.hpp>

namespace tombolo {

std::vector<Rank> ranks_from_root(const Request& request) {
  std::vector<Rank> ranks(static_cast<std::size_t>(request.ranks));
  std::iota(ranks.begin(), ranks.end(), 0);
  std::rotate(ranks.begin(), ranks.begin() + request.root, ranks.end());
  return ranks;
}

Picoseconds subtree_message_time(const Request& request, const Model& model, Rank parent, Rank rank, int others) {
  std::int64_t count = request.count;
  if (sizes(request.operation) == Sizes::blocks) {
    count = request.blocks.count(rank) + others * (request.blocks.total() / request.ranks);
  }
  const Bytes bytes = count * request.element_bytes;
  return traits(request.operation).root == Root::target ? message_time(model, rank, parent, bytes)
                                                        : message_time(model, parent, rank, bytes);
}

std::vector<Rank> placed_order(const TreeTopology& shape, const Request& request, const Model& model, Mapping mapping) {
  const auto cost = [&](Rank parent, Subtree subtree, Rank rank) {
    return subtree_message_time(request, model, parent, rank, subtree.size - 1);
  };
  return placed(shape, ranks_from_root(request), cost, mapping);
}

std::vector<Rank> placed_order(const Algorithm& algorithm, const Parameters& parameters, const Request& request,
                               const Model& model, Mapping mapping) {
  check_has_places(algorithm);
  return placed_order(algorithm.shape(parameters), request, model, mapping);
}

}  // namespace tombolo
