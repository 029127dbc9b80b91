#include <tombolo/collectives/mapping/group_schedule.hpp>
#include <tombolo/collectives/mapping/inside.hpp>
#include <tombolo/collectives/mapping/placement.hpp>
#include <tombolo/collectives/shapes.hpp>

namespace tombolo {

namespace {

constexpr std::size_t most_greedy = 128;

void serve_greedily(const std::vector<Rank>& ranks, const MessageTimes& times, Served& served) {
  GroupProblem problem{static_cast<int>(ranks.size()), 0, {}, std::vector<Picoseconds>(ranks.size(), 0)};
  for (const Rank from : ranks) {
    for (const Rank to : ranks) problem.messages.push_back(from == to ? MessageTime{} : times.of(from, to));
  }
  const GroupTree tree = ecef_schedule.tree(problem);
  for (std::size_t from = 0; from < ranks.size(); ++from) {
    for (const int to : tree[from]) {
      served[static_cast<std::size_t>(ranks[from])].push_back(ranks[static_cast<std::size_t>(to)]);
    }
  }
}

void serve_by_shape(const Shape& shape, const std::vector<Rank>& ranks, const MessageTimes& times, Served& served) {
  const std::vector<Rank> order =
      placed(shape, ranks, [&](Rank parent, Subtree, Rank rank) { return times.of(parent, rank).whole(); });
  std::vector<Subtree> next{{0, static_cast<int>(ranks.size())}};
  while (!next.empty()) {
    const Subtree whole = next.back();
    next.pop_back();
    for (const Subtree& child : shape.children(whole)) {
      served[static_cast<std::size_t>(order[static_cast<std::size_t>(whole.top)])].push_back(
          order[static_cast<std::size_t>(child.top)]);
      next.push_back(child);
    }
  }
}

}  // namespace

std::vector<Inside> shallow_shapes(int wait) {
  return {{"binomial", binomial_shape()},
          {"4-nomial", k_nomial_shape({.radix = 4})},
          {"8-nomial", k_nomial_shape({.radix = 8})},
          {"postal", postal_shape({.delay = wait})},
          {"flat", flat_shape()}};
}

std::vector<Inside> inside_shapes(int wait) {
  std::vector<Inside> shapes = shallow_shapes(wait);
  shapes.push_back({"greedy", Inside::Greedy{}});
  shapes.push_back({"binary", binary_shape()});
  shapes.push_back({"chain", chain_shape()});
  return shapes;
}

void serve_inside(const Inside& inside, const std::vector<Rank>& ranks, const MessageTimes& times, Served& served) {
  if (const auto* shape = std::get_if<Shape>(&inside.how)) {
    serve_by_shape(*shape, ranks, times, served);
  } else if (ranks.size() > most_greedy) {
    serve_by_shape(binomial_shape(), ranks, times, served);
  } else {
    serve_greedily(ranks, times, served);
  }
}

}  // namespace tombolo
