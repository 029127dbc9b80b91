#include <algorithm>
#include <utility>

#include <tombolo/collectives/mapping/compose.hpp>

namespace tombolo {

namespace {

using Group = Hierarchy::Group;

// Group schedules take up to the cube of the number of groups. A level with more groups, such as many hosts of two
// ranks, uses the tree topology of Composition::inside.
constexpr std::size_t most_scheduled = 128;

// Returns the rank with the least time, the first among equals.
template <class Time>
Rank nearest(const std::vector<Rank>& ranks, Time time) {
  std::vector<Picoseconds> times;
  for (const Rank rank : ranks) times.push_back(time(rank));
  return ranks[static_cast<std::size_t>(std::min_element(times.begin(), times.end()) - times.begin())];
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
    serve_inside(composition_.inside, ranks, times_, served_);
  }

  void compose_between(const Group& group, Rank top, std::size_t depth) {
    std::vector<Rank> firsts;
    std::vector<Picoseconds> inside;
    for (const Group& child : group.children) {
      const bool has_top = std::binary_search(child.ranks.begin(), child.ranks.end(), top);
      firsts.push_back(has_top ? top : nearest(child.ranks, [&](Rank rank) { return times_.of(top, rank).whole(); }));
      inside.push_back(compose(child, firsts.back(), depth + 1));
    }
    Served between(served_.size());
    if (firsts.size() > most_scheduled) {
      std::rotate(firsts.begin(), std::find(firsts.begin(), firsts.end(), top), firsts.end());
      serve_inside(composition_.inside, firsts, times_, between);
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
    problem.root = static_cast<int>(std::find(firsts.begin(), firsts.end(), top) - firsts.begin());
    for (const Rank from : firsts) {
      for (std::size_t to = 0; to < firsts.size(); ++to) {
        problem.messages.push_back(message(from, firsts[to], group.children[to]));
      }
    }
    const auto& schedules = composition_.between;
    const GroupTree tree = schedules[std::min(depth, schedules.size() - 1)]->tree(problem);
    for (std::size_t from = 0; from < firsts.size(); ++from) {
      for (const int to : tree[from]) {
        between[static_cast<std::size_t>(firsts[from])].push_back(firsts[static_cast<std::size_t>(to)]);
      }
    }
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
};

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

RankTree compose(const Hierarchy& hierarchy, Rank root, const Composition& composition, const MessageTimes& times) {
  Composer composer(composition, times);
  composer.compose(hierarchy.whole(), root, 0);
  return composer.tree({root});
}

RankTree compose_with_leaders(const Hierarchy& hierarchy, const Composition& composition, const MessageTimes& times) {
  const std::vector<Rank> tops = leaders(hierarchy, times);
  Composer composer(composition, times);
  const std::vector<Group>& groups = hierarchy.whole().children;
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
