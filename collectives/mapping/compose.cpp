#include <algorithm>
#include <utility>

#include <tombolo/collectives/mapping/compose.hpp>
#include <tombolo/collectives/mapping/placement.hpp>
#include <tombolo/models/fitting/arithmetic.hpp>

namespace tombolo {

namespace {

constexpr std::size_t most_greedy = 128;

// Adds a tree over `ranks`, by their indices.
void serve(const GroupTree& tree, const std::vector<Rank>& ranks, Served& served) {
  for (std::size_t from = 0; from < ranks.size(); ++from) {
    for (const int to : tree[from]) {
      served[static_cast<std::size_t>(ranks[from])].push_back(ranks[static_cast<std::size_t>(to)]);
    }
  }
}

void serve_greedily(const std::vector<Rank>& ranks, const MessageTimes& times, Served& served) {
  GroupProblem problem{static_cast<int>(ranks.size()), 0, {}, std::vector<Picoseconds>(ranks.size(), 0)};
  for (const Rank from : ranks) {
    for (const Rank to : ranks) problem.messages.push_back(from == to ? MessageTime{} : times.of(from, to));
  }
  serve(ecef_schedule.tree(problem), ranks, served);
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

using Group = Hierarchy::Group;

// Group schedules take up to the cube of the number of groups. A level with more groups, such as many hosts of two
// ranks, uses the tree topology of Composition::inside.
constexpr std::size_t most_scheduled = 128;

// Returns the rank with the least time, the first among equals.
template <class Time>
Rank nearest(const std::vector<Rank>& ranks, Time time) {
  std::vector<Picoseconds> times;
  for (const Rank rank : ranks) times.push_back(time(rank));
  return ranks[static_cast<std::size_t>(std::ranges::min_element(times) - times.begin())];
}

// Adds to `served` the tree from the first of `ranks` to the others.
void serve_inside(const Inside& inside, const std::vector<Rank>& ranks, const MessageTimes& times, Served& served) {
  if (const auto* shape = std::get_if<TreeTopology>(&inside.how)) {
    serve_by_shape(*shape, ranks, times, served);
  } else if (ranks.size() > most_greedy) {
    serve_by_shape(binomial_tree(), ranks, times, served);
  } else {
    serve_greedily(ranks, times, served);
  }
}

class Composer {
 public:
  Composer(const Composition& composition, const MessageTimes& times)
      : composition_(composition), times_(times), served_(static_cast<std::size_t>(times.ranks())) {}

  // Writes the children of `top` and of its group; returns the time until the whole group has the message.
  Picoseconds compose(const Group& group, Rank top, std::size_t depth) {
    if (group.children.empty()) {
      compose_inside(group, top);
    } else {
      compose_between(group, top, depth);
    }
    return time_below(served_, top, times_);
  }

  RankTree tree(const std::vector<Rank>& tops) {
    if (composition_.longest_first) {
      for (const Rank top : tops) serve_longest_first(served_, top, times_);
    }
    return RankTree::of_children(tops, served_);
  }

 private:
  void compose_inside(const Group& group, Rank top) {
    std::vector<Rank> ranks = group.ranks;
    std::rotate(ranks.begin(), std::lower_bound(ranks.begin(), ranks.end(), top), ranks.end());
    const std::vector<Inside>& insides = composition_.inside;
    serve_inside(insides[std::min(innermost_++, insides.size() - 1)], ranks, times_, served_);
  }

  void compose_between(const Group& group, Rank top, std::size_t depth) {
    std::vector<Rank> firsts;
    std::vector<Picoseconds> inside;
    for (const Group& child : group.children) {
      const bool has_top = std::ranges::binary_search(child.ranks, top);
      firsts.push_back(has_top ? top : nearest(child.ranks, [&](Rank rank) { return times_.of(top, rank).whole(); }));
      inside.push_back(compose(child, firsts.back(), depth + 1));
    }
    Served between(served_.size());
    if (firsts.size() > most_scheduled) {
      std::rotate(firsts.begin(), std::ranges::find(firsts, top), firsts.end());
      serve_inside(composition_.inside.front(), firsts, times_, between);
    } else {
      schedule(group, firsts, std::move(inside), top, depth, between);
    }
    // Messages to other groups precede messages within the group.
    for (const Rank first : firsts) {
      const std::vector<Rank>& far = between[static_cast<std::size_t>(first)];
      std::vector<Rank>& all = served_[static_cast<std::size_t>(first)];
      all.insert(all.begin(), far.begin(), far.end());
    }
  }

  void schedule(const Group& group, const std::vector<Rank>& firsts, std::vector<Picoseconds> inside, Rank top,
                std::size_t depth, Served& between) const {
    GroupProblem problem{static_cast<int>(firsts.size()), 0, {}, std::move(inside)};
    problem.root = static_cast<int>(std::ranges::find(firsts, top) - firsts.begin());
    for (const Rank from : firsts) {
      for (std::size_t to = 0; to < firsts.size(); ++to) {
        problem.messages.push_back(message(from, firsts[to], group.children[to]));
      }
    }
    const auto& schedules = composition_.between;
    serve(schedules[std::min(depth, schedules.size() - 1)]->tree(problem), firsts, between);
  }

  MessageTime message(Rank from, Rank to, const Group& group) const {
    if (from == to) return {};
    if (!composition_.blocks) return times_.of(from, to);
    const auto blocks = static_cast<Bytes>(group.ranks.size());
    return message_time_parts(times_.model(), from, to, blocks * times_.bytes());
  }

  const Composition& composition_;
  const MessageTimes& times_;
  Served served_;
  std::size_t innermost_ = 0;  // the number of groups without children so far
};

void add_innermost(const Group& group, std::vector<const Group*>& all) {
  if (group.children.empty()) all.push_back(&group);
  for (const Group& child : group.children) add_innermost(child, all);
}

// The time of the rank that sends longest for one message.
Picoseconds longest_sending(const Served& served, const MessageTimes& times) {
  Picoseconds longest = 0;
  for (std::size_t rank = 0; rank < served.size(); ++rank) {
    Picoseconds all = 0;
    for (const Rank child : served[rank]) all = plus(all, times.of(static_cast<Rank>(rank), child).gap);
    longest = std::max(longest, all);
  }
  return longest;
}

// Returns one leader per outermost group, the rank nearest to the first rank of the next group; the first rank if there
// is one group only.
std::vector<Rank> leaders(const Hierarchy& hierarchy, const MessageTimes& times) {
  const std::vector<Group>& groups = hierarchy.whole().children;
  if (groups.empty()) return {hierarchy.whole().ranks.front()};
  std::vector<Rank> leaders;
  for (std::size_t group = 0; group < groups.size(); ++group) {
    const Rank other = groups[(group + 1) % groups.size()].ranks.front();
    leaders.push_back(nearest(groups[group].ranks, [&](Rank rank) { return times.of(other, rank).whole(); }));
  }
  return leaders;
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

std::vector<const Hierarchy::Group*> innermost_groups(const Hierarchy& hierarchy) {
  std::vector<const Hierarchy::Group*> all;
  add_innermost(hierarchy.whole(), all);
  return all;
}

const Inside& fastest_inside(const std::vector<Inside>& insides, const std::vector<Rank>& ranks,
                             const MessageTimes& times, std::int64_t messages) {
  const Inside* best = &insides.front();
  Picoseconds least = never;
  for (const Inside& inside : insides) {
    Served served(static_cast<std::size_t>(times.ranks()));
    serve_inside(inside, ranks, times, served);
    const Picoseconds further = tombolo::times(messages - 1, longest_sending(served, times));
    const Picoseconds time = plus(time_below(served, ranks.front(), times), further);
    if (time >= least) continue;
    least = time;
    best = &inside;
  }
  return *best;
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
    std::ranges::stable_sort(sorted, [&](Rank a, Rank b) { return remaining(a) > remaining(b); });
    if (finish(sorted) < finish(children)) children = std::move(sorted);
    below[static_cast<std::size_t>(*rank)] = finish(children);
  }
}

RankTree compose(const Hierarchy& hierarchy, Rank root, const Composition& composition, const MessageTimes& times) {
  Composer composer(composition, times);
  composer.compose(hierarchy.whole(), root, 0);
  return composer.tree({root});
}

RankTree compose_with_leaders(const Hierarchy& hierarchy, const Composition& composition, const MessageTimes& times) {
  const std::vector<Rank> tops = leaders(hierarchy, times);
  Composer composer(composition, times);
  const std::vector<Hierarchy::Group>& groups = hierarchy.whole().children;
  if (groups.empty()) composer.compose(hierarchy.whole(), tops.front(), 0);
  for (std::size_t group = 0; group < groups.size(); ++group) composer.compose(groups[group], tops[group], 1);
  return composer.tree(tops);
}

Rank central_rank(const Hierarchy& hierarchy, const MessageTimes& times) {
  const std::vector<Rank> tops = leaders(hierarchy, times);
  return nearest(tops, [&](Rank rank) {
    Picoseconds all = 0;
    for (const Rank other : tops) all = plus(all, other == rank ? 0 : times.of(rank, other).whole());
    return all;
  });
}

}  // namespace tombolo
