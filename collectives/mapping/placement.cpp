#include <algorithm>
#include <queue>
#include <tuple>

#include <tombolo/collectives/mapping/placement.hpp>

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
    const auto best = std::min_element(costs.begin(), costs.end()) - costs.begin();
    const Rank rank = left[static_cast<std::size_t>(best)];
    left.erase(left.begin() + best);
    take(rank, vacancy.subtree);
  }
  return order;
}

}  // namespace tombolo
