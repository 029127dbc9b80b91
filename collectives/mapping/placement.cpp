#include <algorithm>
#include <numeric>
#include <queue>
#include <tuple>

#include <fmt/format.h>

#include <tombolo/collectives/mapping/placement.hpp>
#include <tombolo/units.hpp>

namespace tombolo {

namespace {

constexpr std::size_t most_ranks = 128;

struct Vacancy {
  Rank parent;
  Subtree subtree;
  int turn;  // number of earlier vacancies
  bool operator<(const Vacancy& other) const {
    return std::tuple(subtree.size, -turn) < std::tuple(other.subtree.size, -other.turn);
  }
};

// The ranks of a group, those of the child with the root first.
std::vector<Rank> ordered(const Hierarchy::Group& group, Rank root, NearRanks near) {
  std::vector<std::vector<Rank>> parts;
  for (const Hierarchy::Group& child : group.children) parts.push_back(ordered(child, root, near));
  if (parts.empty()) {
    for (const Rank rank : group.ranks) parts.push_back({rank});
  }
  const auto first =
      std::ranges::find_if(parts, [root](const std::vector<Rank>& part) { return part.front() == root; });
  if (first != parts.end()) std::rotate(parts.begin(), first, parts.end());
  struct Place {
    double at;  // in the part, from 0 to 1
    Rank rank;
  };
  std::vector<Place> places;
  for (const std::vector<Rank>& part : parts) {
    for (std::size_t i = 0; i < part.size(); ++i) {
      places.push_back({static_cast<double>(i) / static_cast<double>(part.size()), part[i]});
    }
  }
  if (near == NearRanks::far_apart) std::ranges::stable_sort(places, {}, &Place::at);
  std::vector<Rank> order;
  for (const Place& place : places) order.push_back(place.rank);
  return order;
}

}  // namespace

std::vector<Rank> placed(const TreeTopology& shape, const std::vector<Rank>& ranks, const PlaceCost& cost,
                         Mapping mapping) {
  if (mapping == Mapping::in_order || ranks.size() > most_ranks) return ranks;
  std::vector<Rank> order(ranks.size());
  std::vector<Rank> left(ranks.begin() + 1, ranks.end());
  std::priority_queue<Vacancy> vacancies;
  int turn = 0;
  const auto take = [&](Rank rank, Subtree subtree) {
    order[static_cast<std::size_t>(subtree.top)] = rank;
    for (const Subtree& child : shape.children(subtree)) vacancies.push({rank, child, turn++});
  };
  take(ranks.front(), {0, static_cast<int>(ranks.size())});
  while (!vacancies.empty()) {
    const Vacancy vacancy = vacancies.top();
    vacancies.pop();
    std::vector<Picoseconds> costs;
    for (const Rank rank : left) {
      const Picoseconds time = cost(vacancy.parent, vacancy.subtree, rank);
      costs.push_back(mapping == Mapping::good ? time : -time);
    }
    const auto best = std::ranges::min_element(costs) - costs.begin();
    const Rank rank = left[static_cast<std::size_t>(best)];
    left.erase(left.begin() + best);
    take(rank, vacancy.subtree);
  }
  return order;
}

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

std::vector<Rank> order_of_groups(const Request& request, NearRanks near, const Hierarchy& hierarchy) {
  if (near == NearRanks::anywhere || hierarchy.whole().children.empty()) return {};
  std::vector<Rank> order = ordered(hierarchy.whole(), request.root, near);
  if (order == ranks_from_root(request)) order.clear();
  return order;
}

void check_has_places(const Algorithm& algorithm) {
  if (algorithm.shape != nullptr) return;
  std::string trees;
  for (const Algorithm* other : algorithms_for(algorithm.operation)) {
    if (other->shape != nullptr) trees += fmt::format("{}{}", trees.empty() ? "" : ", ", other->name);
  }
  throw Error(fmt::format("algorithm '{}' of {} has no tree whose places ranks could take in another order",
                          algorithm.name, name(algorithm.operation)),
              trees.empty() ? "do without a mapping" : "choose one of " + trees);
}

}  // namespace tombolo
