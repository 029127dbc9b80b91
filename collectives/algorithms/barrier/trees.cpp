// Barriers over a tree: signals go up when a subtree is complete, and down again from the root. With several trees,
// their roots, the leaders of clusters, exchange signals in between.

#include <utility>

#include <tombolo/collectives/algorithms/barrier/rounds.hpp>
#include <tombolo/collectives/algorithms/common/mapped_routes.hpp>
#include <tombolo/collectives/algorithms/common/tree_routes.hpp>
#include <tombolo/collectives/plan/algorithm.hpp>
#include <tombolo/collectives/topology/tree_families.hpp>

namespace tombolo {

namespace {

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
