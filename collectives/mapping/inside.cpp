#include <algorithm>
#include <utility>

#include <tombolo/collectives/mapping/group_schedule.hpp>
#include <tombolo/collectives/mapping/inside.hpp>
#include <tombolo/collectives/mapping/placement.hpp>
#include <tombolo/collectives/topology/tree_families.hpp>

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

void serve_by_shape(const TreeTopology& shape, const std::vector<Rank>& ranks, const MessageTimes& times,
                    Served& served) {
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
  return {{"binomial", binomial_tree()},
          {"4-nomial", k_nomial_tree({.radix = 4})},
          {"8-nomial", k_nomial_tree({.radix = 8})},
          {"postal", postal_tree({.delay = wait})},
          {"flat", flat_tree()}};
}

std::vector<Inside> inside_shapes(int wait) {
  std::vector<Inside> shapes = shallow_shapes(wait);
  shapes.push_back({"greedy", Inside::Greedy{}});
  shapes.push_back({"binary", binary_tree()});
  shapes.push_back({"chain", chain_tree()});
  return shapes;
}

void serve_inside(const Inside& inside, const std::vector<Rank>& ranks, const MessageTimes& times, Served& served) {
  if (const auto* shape = std::get_if<TreeTopology>(&inside.how)) {
    serve_by_shape(*shape, ranks, times, served);
  } else if (ranks.size() > most_greedy) {
    serve_by_shape(binomial_tree(), ranks, times, served);
  } else {
    serve_greedily(ranks, times, served);
  }
}

Picoseconds time_below(const Served& served, Rank top, const MessageTimes& times) {
  Picoseconds last = 0;
  std::vector<std::pair<Rank, Picoseconds>> next{{top, 0}};
  while (!next.empty()) {
    auto [rank, free] = next.back();
    next.pop_back();
    last = std::max(last, free);
    for (const Rank child : served[static_cast<std::size_t>(rank)]) {
      const MessageTime message = times.of(rank, child);
      next.emplace_back(child, plus(free, message.whole()));
      free = plus(free, message.gap);
    }
  }
  return last;
}

void serve_longest_first(Served& served, Rank top, const MessageTimes& times) {
  std::vector<Rank> downwards{top};
  for (std::size_t at = 0; at < downwards.size(); ++at) {
    const std::vector<Rank>& children = served[static_cast<std::size_t>(downwards[at])];
    downwards.insert(downwards.end(), children.begin(), children.end());
  }
  std::vector<Picoseconds> below(served.size(), 0);
  for (auto rank = downwards.rbegin(); rank != downwards.rend(); ++rank) {
    std::vector<Rank>& children = served[static_cast<std::size_t>(*rank)];
    // Time from the end of the gap.
    const auto remaining = [&](Rank child) {
      return plus(times.of(*rank, child).latency, below[static_cast<std::size_t>(child)]);
    };
    const auto finish = [&](const std::vector<Rank>& order) {
      Picoseconds last = 0;
      Picoseconds free = 0;
      for (const Rank child : order) {
        free = plus(free, times.of(*rank, child).gap);
        last = std::max(last, plus(free, remaining(child)));
      }
      return last;
    };
    std::vector<Rank> sorted = children;
    std::stable_sort(sorted.begin(), sorted.end(), [&](Rank a, Rank b) { return remaining(a) > remaining(b); });
    if (finish(sorted) < finish(children)) children = std::move(sorted);
    below[static_cast<std::size_t>(*rank)] = finish(children);
  }
}

}  // namespace tombolo
