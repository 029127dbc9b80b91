#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

#include <tombolo/collectives/mapping/swapped_ranks.hpp>
#include <tombolo/collectives/predict/predict.hpp>
#include <tombolo/units.hpp>

namespace tombolo {

namespace {

Plan swapped(const Plan& plan, int a, int b) {
  const RankTree& tree = plan.parameters().trees.tree(0);
  std::vector<Rank> order = tree.order();
  std::swap(order[static_cast<std::size_t>(a)], order[static_cast<std::size_t>(b)]);
  Parameters parameters = plan.parameters();
  parameters.trees = MappedTrees(parameters.trees.name(), RankTree(std::move(order), tree.parents()));
  return {plan.request(), plan.algorithm(), std::move(parameters)};
}

// All virtual ranks but the root's, largest subtree first.
std::vector<int> places_by_size(const RankTree& tree) {
  std::vector<int> places(static_cast<std::size_t>(tree.ranks()));
  std::iota(places.begin(), places.end(), 0);
  places.erase(places.begin());
  std::ranges::stable_sort(places, [&tree](int a, int b) { return tree.subtree(a).size > tree.subtree(b).size; });
  return places;
}

}  // namespace

Plan with_ranks_swapped(const Plan& plan, const Model& model, int predictions) {
  if (predictions < 2 || plan.request().ranks < 3) return plan;
  Plan best = plan;
  Picoseconds least = makespan(best, model);
  int left = predictions - 1;
  const std::vector<int> places = places_by_size(plan.parameters().trees.tree(0));
  for (bool better = true; better && left > 0;) {
    better = false;
    for (std::size_t a = 0; a < places.size(); ++a) {
      for (std::size_t b = a + 1; b < places.size() && left > 0; ++b) {
        Plan other = swapped(best, places[a], places[b]);
        const Picoseconds time = makespan(other, model);
        --left;
        if (time >= least) continue;
        least = time;
        best = std::move(other);
        better = true;
      }
    }
  }
  return best;
}

}  // namespace tombolo
