#include <catch2/catch.hpp>

#include <tombolo/collectives/mapping/placement.hpp>
#include <tombolo/collectives/predict/predict.hpp>
#include <tombolo/collectives/prove/prove.hpp>
#include <tombolo/units.hpp>

#include "collectives/mapping/hierarchies.hpp"
#include "collectives/requests.hpp"
#include "models/random_models.hpp"
#include "models/test_platforms.hpp"

using namespace tombolo;
using test::Spread;

namespace {

// What the messages of a tree take, one after the other, if ranks take its places in this order.
Picoseconds sum_of_messages(const TreeTopology& shape, const std::vector<Rank>& order, const Request& request,
                            const Model& model) {
  const Tree tree(shape, request.ranks);
  Picoseconds sum = 0;
  for (int place = 1; place < tree.size(); ++place) {
    const Tree::Node node = tree.node(place);
    const Rank parent = order[static_cast<std::size_t>(node.parent)];
    sum += subtree_message_time(request, model, parent, order[static_cast<std::size_t>(place)], node.subtree.size - 1);
  }
  return sum;
}

}  // namespace

TEST_CASE("algorithms with a shape send along it, and may be mapped: every mapping is an order from the root on") {
  std::mt19937 random(7);
  for (int ranks = 1; ranks <= 24; ++ranks) {
    const Platform platform = flat_cluster(ranks);
    const Lmo model = RandomModels(platform, static_cast<unsigned>(ranks)).lmo(true);
    for (const Algorithm* algorithm : all_algorithms()) {
      if (algorithm->shape == nullptr) continue;
      const Rank root = static_cast<Rank>(random() % static_cast<unsigned>(ranks));
      const Request request = test::request(algorithm->operation, ranks, root, Spread::equal, random);
      const Tree tree(algorithm->shape({}), ranks);
      for (const Mapping mapping : {Mapping::good, Mapping::pessimal, Mapping::in_order}) {
        const std::vector<Rank> order = placed_order(*algorithm, {}, request, model, mapping);
        INFO(algorithm->name << " of " << name(algorithm->operation) << ", " << ranks << " ranks, root " << root);
        CHECK(order.front() == root);
        CHECK(std::is_permutation(order.begin(), order.end(), ranks_from_root(request).begin()));
        if (mapping == Mapping::in_order) CHECK(order == ranks_from_root(request));
        const Plan plan(request, *algorithm, {.order = order});
        CHECK(prove(plan).holds());
        for (int place = 0; place < ranks; ++place) {
          std::size_t peers = tree.node(place).parent < 0 ? 0 : 1;
          peers += tree.node(place).children.size();
          const Schedule schedule = plan.schedule(order[static_cast<std::size_t>(place)]);
          std::size_t messages = 0;
          for (const Step& step : schedule.steps()) messages += step.is_message() ? 1 : 0;
          CHECK(messages == peers);
        }
      }
    }
  }
}

TEST_CASE("the messages of a good mapping take less time than those of a pessimal one") {
  std::mt19937 random(8);
  for (int ranks = 3; ranks <= 40; ++ranks) {
    const Platform platform = flat_cluster(ranks);
    const Lmo model = RandomModels(platform, static_cast<unsigned>(ranks)).lmo(false);
    for (const Operation operation : {Operation::bcast, Operation::reduce, Operation::scatterv, Operation::gatherv}) {
      const Request request = test::request(operation, ranks, ranks / 2, Spread::equal, random);
      const Algorithm& binomial = find_algorithm(operation, "binomial");
      const TreeTopology shape = binomial.shape({});
      const auto time = [&](Mapping mapping) {
        return sum_of_messages(shape, placed_order(binomial, {}, request, model, mapping), request, model);
      };
      INFO(name(operation) << " on " << ranks << " ranks");
      CHECK(time(Mapping::good) <= time(Mapping::pessimal));
    }
  }
}

TEST_CASE("what has no tree with places to choose is refused") {
  const Platform platform = flat_cluster(4);
  const Lmo model = RandomModels(platform, 1).lmo(false);
  const auto order = [&](Operation operation, const char* algorithm) {
    std::mt19937 random(1);
    const Request request = test::request(operation, 4, 0, Spread::equal, random);
    return placed_order(find_algorithm(operation, algorithm), {}, request, model, Mapping::good);
  };
  CHECK_THROWS_WITH(order(Operation::bcast, "relays"), Catch::Contains("flat, binomial"));
  CHECK_THROWS_AS(order(Operation::scatterv, "mapped"), Error);
  CHECK_THROWS_WITH(order(Operation::alltoallv, "direct"), Catch::Contains("without a mapping"));
}

namespace {

// Calls visit(group) for each group of a hierarchy with several ranks, but not for the whole.
template <class Visit>
void for_each_group(const Hierarchy::Group& whole, const Visit& visit) {
  for (const Hierarchy::Group& child : whole.children) {
    if (child.ranks.size() > 1) visit(child);
    for_each_group(child, visit);
  }
}

}  // namespace

TEST_CASE("an order of groups begins with the root and keeps each group together, or spreads it out") {
  std::mt19937 random(11);
  for (int ranks = 2; ranks <= 40; ++ranks) {
    const Platform platform = test::random_clusters(ranks, random);
    const Hierarchy hierarchy(platform);
    const Request request = Request::bcast(ranks, static_cast<Rank>(random() % static_cast<unsigned>(ranks)), 8, 1);
    CHECK(order_of_groups(request, NearRanks::anywhere, hierarchy).empty());
    for (const NearRanks near : {NearRanks::adjacent, NearRanks::far_apart}) {
      const std::vector<Rank> order = order_of_groups(request, near, hierarchy);
      if (order.empty()) continue;
      CHECK(order.front() == request.root);
      CHECK(std::is_permutation(order.begin(), order.end(), ranks_from_root(request).begin()));
      CHECK(order != ranks_from_root(request));
      for_each_group(hierarchy.whole(), [&](const Hierarchy::Group& group) {
        std::vector<std::ptrdiff_t> places;
        for (const Rank rank : group.ranks) places.push_back(std::ranges::find(order, rank) - order.begin());
        const auto [first, last] = std::ranges::minmax(places);
        const auto size = static_cast<std::ptrdiff_t>(places.size());
        if (near == NearRanks::adjacent) {
          CHECK(last - first == size - 1);
          return;
        }
        // Of each half of the order it has about half of its ranks, give or take one for each level around it.
        const auto before = std::ranges::count_if(places, [&](std::ptrdiff_t place) { return place < ranks / 2; });
        CHECK(std::abs(2 * before - size) <= 5);
      });
    }
  }
}

TEST_CASE(
    "ranks dealt to hosts in turn are in the order of spread groups, ranks host by host in that of adjacent ones") {
  const Hierarchy dealt(clusters_of_hosts({{2, 2, 2}}));
  const Request request = Request::bcast(6, 0, 8, 1);
  CHECK(order_of_groups(request, NearRanks::far_apart, dealt).empty());
  CHECK(order_of_groups(request, NearRanks::adjacent, dealt) == std::vector<Rank>{0, 3, 1, 4, 2, 5});
  CHECK(order_of_groups(Request::bcast(6, 4, 8, 1), NearRanks::adjacent, dealt) == std::vector<Rank>{4, 1, 2, 5, 0, 3});
  CHECK(order_of_groups(request, NearRanks::adjacent, Hierarchy(6)).empty());
}
