#include <algorithm>
#include <cstddef>
#include <cstring>
#include <memory>
#include <stdexcept>

#include <fmt/format.h>
#include <glpk.h>

#include <tombolo/framework/arrays/transpose/cheapest_owners.hpp>
#include <tombolo/platform/error.hpp>

namespace tombolo {
namespace {

using Costs = std::vector<std::vector<std::int64_t>>;

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
