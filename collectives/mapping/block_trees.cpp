#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include <tombolo/collectives/mapping/block_trees.hpp>
#include <tombolo/collectives/mapping/compose.hpp>
#include <tombolo/collectives/mapping/message_times.hpp>
#include <tombolo/collectives/mapping/placement.hpp>
#include <tombolo/collectives/mapping/variants.hpp>
#include <tombolo/collectives/topology/tree.hpp>
#include <tombolo/units.hpp>

namespace tombolo {

namespace {

Bytes mean_block(const Request& request) {
  return request.blocks.total() / request.ranks * request.element_bytes;
}

RankTree flat_longest_first(const Request& request, const Model& model) {
  std::vector<Rank> ranks = ranks_from_root(request);
  std::vector<Picoseconds> times(ranks.size());
  for (const Rank rank : ranks) {
    if (rank == request.root) continue;
    times[static_cast<std::size_t>(rank)] = subtree_message_time(request, model, request.root, rank, 0);
  }
  std::stable_sort(ranks.begin() + 1, ranks.end(), [&times](Rank a, Rank b) {
    return times[static_cast<std::size_t>(a)] > times[static_cast<std::size_t>(b)];
  });
  return RankTree::of_shape(flat_tree(), ranks);
}

}  // namespace

std::vector<MappedTrees> block_trees(const Request& request, const Model& model, const Hierarchy& hierarchy) {
  std::vector<MappedTrees> all;
  if (!request.blocks.all_known()) return all;
  const auto add = [&all](MappedTrees trees) {
    if (std::ranges::find(all, trees) == all.end()) all.push_back(std::move(trees));
  };
  const int wait = delay(model, mean_block(request));
  const std::vector<Inside> insides = {{"flat", flat_tree()},
                                       {"binomial", binomial_tree()},
                                       {"4-nomial", k_nomial_tree({.radix = 4})},
                                       {fmt::format("postal, delay {}", wait), postal_tree({.delay = wait})}};
  add({"longest first", flat_longest_first(request, model)});
  for (const Inside& inside : insides) {
    const auto& shape = std::get<TreeTopology>(inside.how);
    add({fmt::format("{}, large blocks over fast links", inside.name),
         RankTree::of_shape(shape, placed_order(shape, request, model, Mapping::good))});
  }
  if (hierarchy.whole().children.empty()) return all;
  const MessageTimes times(model, request.ranks, mean_block(request));
  for (const GroupSchedule* schedule : {&flat_schedule, &ecef_schedule, &bottom_up_schedule}) {
    for (const Inside& inside : insides) {
      const Composition composition{{schedule}, {inside}, true};
      add({fmt::format("{} over {}", schedule->name, inside.name),
           compose(hierarchy, request.root, composition, times)});
    }
  }
  return all;
}

}  // namespace tombolo
