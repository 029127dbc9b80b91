#include <algorithm>
#include <cstddef>
#include <cstring>
#include <memory>
#include <numeric>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>
#include <glpk.h>

#include <tombolo/framework/arrays/redistribution.hpp>
#include <tombolo/framework/arrays/transpose/assign_parts.hpp>
#include <tombolo/platform/description/routes.hpp>
#include <tombolo/units.hpp>

namespace tombolo {

namespace {

using Costs = std::vector<std::vector<std::int64_t>>;

constexpr std::int64_t worth = 64;  // the saving must be at least 1 / worth

/// Returns the slowness of messages for each pair of ranks: 16 for the fastest, 0 from a rank to itself.
std::vector<std::int64_t> slowness(const Platform* platform, int ranks) {
  constexpr std::int64_t fastest_link = 16;
  constexpr std::int64_t slowest_link = 65536;
  const auto count = static_cast<std::size_t>(ranks);
  std::vector<std::int64_t> slow(count * count, fastest_link);
  if (platform != nullptr) {
    const Routes routes(*platform);
    std::vector<BytesPerSecond> rates(slow.size());
    for (std::size_t pair = 0; pair < rates.size(); ++pair) {
      const auto from = static_cast<Rank>(pair / count);
      const auto to = static_cast<Rank>(pair % count);
      if (from != to) rates[pair] = routes.rate(from, to);
    }
    const BytesPerSecond fastest = *std::max_element(rates.begin(), rates.end());
    for (std::size_t pair = 0; pair < rates.size(); ++pair) {
      if (rates[pair] == 0) continue;
      const std::int64_t times = fastest / rates[pair];  // in two steps, since the product could overflow
      const std::int64_t rest = fastest % rates[pair] / std::max<BytesPerSecond>(rates[pair] / fastest_link, 1);
      slow[pair] =
          std::clamp(times < slowest_link ? fastest_link * times + rest : slowest_link, fastest_link, slowest_link);
    }
  }
  for (std::size_t rank = 0; rank < count; ++rank) slow[rank * count + rank] = 0;
  return slow;
}

/// Returns the cost of each part of B on each rank.
Costs costs_of(const Layout& a, const Layout& b, const Platform* platform) {
  const auto ranks = static_cast<std::size_t>(a.ranks());
  const auto slow = slowness(platform, a.ranks());
  const auto [rows, columns] = a.shape();
  const std::int64_t unit = rows * columns / (std::int64_t{1} << 40) + 1;  // keeps elements times slowness below 2^57
  Costs costs(ranks, std::vector<std::int64_t>(ranks, 0));
  for (std::size_t part = 0; part < ranks; ++part) {
    auto& row = costs[part];
    const Part of_b = b.part_at(static_cast<int>(part)).transposed();
    for (std::size_t from = 0; from < ranks; ++from) {
      const std::int64_t elements = overlap(a.part(static_cast<Rank>(from)), of_b).elements() / unit;
      for (std::size_t to = 0; elements > 0 && to < ranks; ++to) row[to] += elements * slow[from * ranks + to];
    }
    for (std::size_t to = 0; to < ranks; ++to) {
      const auto rank = static_cast<Rank>(to);
      const std::int64_t has = std::max(a.part(rank).elements(), b.part(rank).elements());
      if (of_b.elements() > has + has / 8) row[to] = forbidden;
    }
  }
  return costs;
}

std::int64_t sum_of(const Costs& costs, const std::vector<Rank>& owners) {
  std::int64_t sum = 0;
  for (std::size_t part = 0; part < owners.size(); ++part) sum += costs[part][static_cast<std::size_t>(owners[part])];
  return sum;
}

std::vector<Rank> owners_of(const Layout& layout) {
  std::vector<Rank> owners;
  for (int place = 0; place < layout.ranks(); ++place) owners.push_back(layout.owner(place));
  return owners;
}

bool allowed_and_less(std::int64_t cost, std::int64_t than) {
  return cost != forbidden && (than == forbidden || cost < than);
}

std::int64_t least_in(const std::vector<std::int64_t>& row) {
  std::int64_t least = forbidden;
  for (const std::int64_t cost : row) least = allowed_and_less(cost, least) ? cost : least;
  return least;
}

/// Returns the cost with every part on its cheapest rank, a lower bound.
std::int64_t least_of(const Costs& costs) {
  std::int64_t sum = 0;
  for (const auto& row : costs) sum += least_in(row);
  return sum;
}

/// Returns owners with this cost if a greedy pass finds them, as for a turned grid; else empty. Parts without elements
/// come last, since any rank suits them.
std::vector<Rank> first_choices(const Costs& costs, const Layout& b) {
  std::vector<std::size_t> parts(costs.size());
  std::iota(parts.begin(), parts.end(), std::size_t{0});
  std::stable_partition(parts.begin(), parts.end(),
                        [&](std::size_t part) { return b.part_at(static_cast<int>(part)).elements() > 0; });
  std::vector<Rank> owners(costs.size());
  std::vector<bool> taken(costs.size(), false);
  for (const std::size_t part : parts) {
    const auto& row = costs[part];
    const std::int64_t least = least_in(row);
    std::size_t rank = 0;
    while (rank < row.size() && (taken[rank] || row[rank] != least)) ++rank;
    if (rank == row.size()) return {};
    taken[rank] = true;
    owners[part] = static_cast<Rank>(rank);
  }
  return owners;
}

/// GLPK's data of each vertex and arc.
struct VertexData {
  int set = 0;  // 0: parts, 1: ranks
};
struct ArcData {
  double cost = 0;  // an integer that fits an int
  int taken = 0;
};

template <class Data>
Data get(const void* place) {
  Data data;
  std::memcpy(&data, place, sizeof data);
  return data;
}

/// GLPK's potentials are ints too, and reach the sum of a cost per vertex.
constexpr std::int64_t potential_limit = std::int64_t{1} << 29;

/// Step of the costs of a part above its least cost.
std::int64_t step_of(const Costs& costs) {
  std::int64_t most = 0;
  for (const auto& row : costs) most = std::max(most, *std::max_element(row.begin(), row.end()));
  return most / std::max<std::int64_t>(potential_limit / (std::ssize(costs) + 1), 1) + 1;
}

void check(const Costs& costs) {
  for (const auto& row : costs) {
    if (row.size() != costs.size()) {
      throw std::logic_error(fmt::format("{} costs for {} parts and ranks", row.size(), costs.size()));
    }
  }
}

using Graph = std::unique_ptr<glp_graph, decltype(&glp_delete_graph)>;

/// Makes the graph for GLPK: vertices 1 to n are the parts, n + 1 to 2 n the ranks.
Graph graph_of(const Costs& costs) {
  const int ranks = static_cast<int>(costs.size());
  const std::int64_t step = step_of(costs);
  Graph graph(glp_create_graph(sizeof(VertexData), sizeof(ArcData)), &glp_delete_graph);
  glp_add_vertices(graph.get(), 2 * ranks);
  for (int vertex = 1; vertex <= 2 * ranks; ++vertex) {
    const VertexData data{vertex > ranks ? 1 : 0};
    std::memcpy(graph->v[vertex]->data, &data, sizeof data);
  }
  for (int part = 0; part < ranks; ++part) {
    const auto& row = costs[static_cast<std::size_t>(part)];
    for (int rank = 0; rank < ranks; ++rank) {
      const std::int64_t cost = row[static_cast<std::size_t>(rank)];
      if (cost == forbidden) continue;
      const std::int64_t steps = cost / step;
      const ArcData data{static_cast<double>(steps), 0};
      std::memcpy(glp_add_arc(graph.get(), part + 1, ranks + rank + 1)->data, &data, sizeof data);
    }
  }
  return graph;
}

}  // namespace

Layout assign_parts(const Layout& a, const Layout& b, const Platform* platform) {
  const Redistribution moves(Distribution(a), Distribution(b), true);
  if (a.ranks() > most_assigned || !moves.operation()) return b;
  const Costs costs = costs_of(a, b, platform);
  const std::vector<Rank> before = owners_of(b);
  const std::int64_t cost = sum_of(costs, before);
  if (cost - least_of(costs) <= cost / worth) return b;
  std::vector<Rank> owners = first_choices(costs, b);
  if (owners.empty()) owners = a.ranks() > most_solved ? before : cheapest_owners(costs);
  return cost - sum_of(costs, owners) > cost / worth ? b.placed(std::move(owners)) : b;
}

std::vector<Rank> cheapest_owners(const Costs& costs) {
  check(costs);
  std::vector<Rank> owners(costs.size(), 0);
  if (costs.empty()) return owners;
  const Graph graph = graph_of(costs);
  double sum = 0;
  const int status = glp_asnprob_okalg(GLP_ASN_MIN, graph.get(), offsetof(VertexData, set), offsetof(ArcData, cost),
                                       &sum, offsetof(ArcData, taken));
  if (status == GLP_ENOPFS) {
    throw Error(fmt::format("{} parts that cannot be handed to as many ranks", costs.size()),
                "forbid fewer ranks to own parts");
  }
  if (status != 0) throw std::logic_error(fmt::format("GLPK's assignment ended with status {}", status));
  const int ranks = static_cast<int>(costs.size());
  for (int part = 0; part < ranks; ++part) {
    for (const glp_arc* arc = graph->v[part + 1]->out; arc != nullptr; arc = arc->t_next) {
      if (get<ArcData>(arc->data).taken == 1) owners[static_cast<std::size_t>(part)] = arc->head->i - ranks - 1;
    }
  }
  return owners;
}

}  // namespace tombolo
