// Barriers in rounds: each rank signals other ranks in every round, at growing distances (dissemination) or in growing
// groups. Barriers over a tree: signals go up when a subtree is complete, and down again from the root; with several
// trees, their roots, the leaders of clusters, exchange signals in between.

#include <algorithm>
#include <functional>
#include <utility>

#include <tombolo/collectives/algorithms/common/tree_routes.hpp>
#include <tombolo/collectives/plan/algorithm.hpp>
#include <tombolo/collectives/topology/radix_groups.hpp>
#include <tombolo/collectives/topology/rank_order.hpp>
#include <tombolo/collectives/topology/tree.hpp>

namespace tombolo {

namespace {

constexpr int dissemination_radix = 2;
constexpr int multiplying_radix = 4;

// Writes the steps of virtual rank `place` in a barrier of `places` virtual ranks by recursive multiplying: groups
// that have completed a barrier among themselves signal `radix` - 1 other groups, then the resulting groups do
// (radix_groups.hpp). Signals are sent after the steps `heard`. Returns the steps after which all ranks have entered
// the barrier.
std::vector<StepId> barrier_over_groups(int places, int place, int radix, const std::function<Rank(int)>& rank,
                                        std::vector<StepId> heard, ScheduleWriter& writer) {
  const std::vector<GroupLevel> levels = radix_groups(places, radix, place);
  for (auto level = levels.rbegin(); level != levels.rend(); ++level) {
    const int index = place - level->own().first;
    const std::vector<StepId> before = heard;
    for (int step = 1; step < level->count(); ++step) {
      heard.push_back(writer.await(rank(partner(level->further(-step), index)), {}));
      for (const int target : partnered(level->own(), index, level->further(step))) {
        writer.signal(rank(target), before);
      }
    }
  }
  return heard;
}

// After round k a rank has been signalled, directly or indirectly, by the radix^k - 1 virtual ranks before it (Hensgen,
// Finkel and Manber 1988, for radix 2).
void write_dissemination(const Request& request, const Parameters& parameters, Rank rank, ScheduleWriter& writer) {
  const RankOrder rank_order(request.ranks, request.root, parameters.order);
  const std::int64_t radix = parameters.radix_or(dissemination_radix);
  const int size = rank_order.size();
  const int place = rank_order.place(rank);
  std::vector<StepId> heard;
  for (std::int64_t distance = 1; distance < size; distance *= radix) {
    const std::vector<StepId> before = heard;
    for (std::int64_t away = distance; away < std::min<std::int64_t>(radix * distance, size); away += distance) {
      const int steps = static_cast<int>(away);
      heard.push_back(writer.await(rank_order.rank((place - steps + size) % size), {}));
      writer.signal(rank_order.rank((place + steps) % size), before);
    }
  }
}

void write_recursive_multiplying(const Request& request, const Parameters& parameters, Rank rank,
                                 ScheduleWriter& writer) {
  const RankOrder rank_order(request.ranks, request.root, parameters.order);
  const int radix = parameters.radix_or(multiplying_radix);
  const auto rank_of = [&rank_order](int place) { return rank_order.rank(place); };
  barrier_over_groups(rank_order.size(), rank_order.place(rank), radix, rank_of, {}, writer);
}

// Returns the steps after which the rank's whole subtree has entered the barrier.
std::vector<StepId> signal_up(const Role& role, ScheduleWriter& writer) {
  std::vector<StepId> come;
  for (const Rank child : role.children) come.push_back(writer.await(child, {}));
  if (role.parent != nobody) writer.signal(role.parent, come);
  return come;
}

// `come`: at the root, the steps after which all ranks have entered the barrier.
void signal_down(const Role& role, std::vector<StepId> come, ScheduleWriter& writer) {
  if (role.parent != nobody) come = {writer.await(role.parent, {})};
  for (const Rank child : role.children) writer.signal(child, come);
}

template <TreeFamily shape>
void write_tree(const Request& request, const Parameters& parameters, Rank rank, ScheduleWriter& writer) {
  const RankOrder rank_order(request.ranks, request.root, parameters.order);
  const Tree::Node node = Tree(shape(parameters), request.ranks).node(rank_order.place(rank));
  signal_down(role_of(node, rank_order, Direction::down), signal_up(role_of(node, rank_order, Direction::up), writer),
              writer);
}

void write_mapped(const Request& request, const Parameters& parameters, Rank rank, ScheduleWriter& writer) {
  const MappedTrees trees = trees_or_binomial(request, parameters);
  const RankTree& tree = trees.tree(0);
  signal_down(tree.role(rank, Direction::down), signal_up(tree.role(rank, Direction::up), writer), writer);
}

void write_leaders(const Request& request, const Parameters& parameters, Rank rank, ScheduleWriter& writer) {
  const MappedTrees trees = leaders_or_default(request, parameters);
  const RankTree& tree = trees.tree(0);
  const Role down = tree.role(rank, Direction::down);
  std::vector<StepId> come = signal_up(tree.role(rank, Direction::up), writer);
  if (down.parent == nobody) {
    const std::vector<Rank> leaders = tree.roots();
    const int radix = parameters.radix_or(leaders_radix);
    const auto rank_of = [&leaders](int index) { return leaders[static_cast<std::size_t>(index)]; };
    come = barrier_over_groups(static_cast<int>(leaders.size()), tree.root_index(rank), radix, rank_of, std::move(come),
                               writer);
  }
  signal_down(down, std::move(come), writer);
}

}  // namespace

const Algorithm barrier_dissemination{
    .name = "dissemination",
    .operation = Operation::barrier,
    .summary = "every rank signals `radix` - 1 ranks, ever farther, in every round; ceil(log_radix(ranks)) rounds",
    .write = write_dissemination,
    .radix = dissemination_radix,
};

const Algorithm barrier_recursive_multiplying{
    .name = "exchange",
    .operation = Operation::barrier,
    .summary = "groups of `radix` signal one another, then groups of groups; near ranks first",
    .write = write_recursive_multiplying,
    .radix = multiplying_radix,
};

const Algorithm barrier_tree{
    .name = "tree",
    .operation = Operation::barrier,
    .summary = "signals go up a tree of few levels and down again; fewer messages than dissemination",
    .write = write_tree<k_nomial_tree>,
    .radix = k_nomial_radix,
};

const Algorithm barrier_postal{
    .name = "postal",
    .operation = Operation::barrier,
    .summary = "signals go up the tree that reaches most ranks in any time and down again",
    .write = write_tree<postal_tree>,
    .uses = {Parameter::delay},
};

const Algorithm barrier_mapped{
    .name = "mapped",
    .operation = Operation::barrier,
    .summary = "signals go up a tree made for the platform and down again",
    .write = write_mapped,
    .mapped = Mapped::tree,
};

const Algorithm barrier_leaders{
    .name = "leaders",
    .operation = Operation::barrier,
    .summary = "signals go up to the leaders of clusters, which exchange them, and down again: long links once",
    .write = write_leaders,
    .radix = leaders_radix,
    .mapped = Mapped::leaders,
};

}  // namespace tombolo
