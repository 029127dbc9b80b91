#include <algorithm>
#include <bit>
#include <utility>

#include <fmt/format.h>

#include <tombolo/collectives/mapping/block_trees.hpp>
#include <tombolo/collectives/mapping/compose.hpp>
#include <tombolo/collectives/mapping/level_trees.hpp>
#include <tombolo/collectives/mapping/long_links.hpp>
#include <tombolo/collectives/mapping/relay_trees.hpp>
#include <tombolo/collectives/mapping/trees_for.hpp>
#include <tombolo/collectives/shapes.hpp>
#include <tombolo/collectives/variants.hpp>

namespace tombolo {

namespace {

class TreesFor {
 public:
  TreesFor(const Request& request, const Algorithm& algorithm, const Model& model, const Landscape& landscape,
           Bytes message_bytes)
      : request_(request),
        algorithm_(algorithm),
        model_(model),
        landscape_(landscape),
        times_(model, request.ranks, message_bytes) {
    if (algorithm.several_tops) {
      for_leaders();
      return;
    }
    root_ = is_rooted(request.operation) ? request.root : central_rank(landscape, times_);
    const Bytes vector = request.count * request.element_bytes;
    Picoseconds near = never;  // that the bytes take over the quickest link of the root, and over the slowest
    Picoseconds far = 0;
    for (Rank rank = 0; rank < request.ranks; ++rank) {
      if (rank == root_) continue;
      const Picoseconds bytes = message_time_parts(model, root_, rank, vector).gap;
      near = std::min(near, bytes);
      far = std::max(far, bytes);
    }
    // Of trees that save latency nothing is to be had where a tree's depth of such messages takes far longer than the
    // longest latency; of those that share out bytes, where these take far less.
    const Picoseconds latency = std::max<Picoseconds>(model.longest_latency(), 1);
    const auto depth = static_cast<Picoseconds>(std::bit_width(static_cast<unsigned>(request.ranks)));
    if (near / 2 * depth <= latency) for_latency();
    if (far >= latency / 16 && vector > 0 && algorithm.several_trees) for_bytes();
  }

  std::vector<MappedTrees> all() && { return std::move(all_); }

 private:
  void add(const MappedTrees& made) {
    MappedTrees trees = algorithm_.segments ? with_long_links(made, model_) : made;
    if (std::find(all_.begin(), all_.end(), trees) == all_.end()) all_.push_back(std::move(trees));
  }

  bool is_one_cluster() const { return landscape_.whole().children.empty(); }

  void add_composed(const Landscape& landscape, const GroupSchedule& schedule, const Inside& inside) {
    const Composition composition{{&schedule}, inside, false, true};
    const std::string name = is_one_cluster() ? inside.name : fmt::format("{} over {}", schedule.name, inside.name);
    add({name, compose(landscape, root_, composition, times_)});
  }

  std::vector<Inside> shapes() const { return shallow_shapes(delay(model_, times_.bytes())); }

  void for_latency() {
    const Inside greedy{"greedy", Inside::Greedy{}};
    for (const GroupSchedule* schedule : all_schedules()) add_composed(landscape_, *schedule, greedy);
    if (!is_one_cluster()) {
      add({"greedy", compose(Landscape(request_.ranks), root_, {{&ecef_schedule}, greedy, false, true}, times_)});
      add_composed(landscape_.of_clusters(), ecef_schedule, greedy);
    }
    for (const Inside& inside : shapes()) add_composed(landscape_, ecef_la_largest_schedule, inside);
  }

  void for_bytes() {
    for (const Inside& inside : {Inside{"chain", chain_shape()}, Inside{"binary", binary_shape()}}) {
      add_composed(landscape_, ecef_schedule, inside);
    }
    const Rank root = is_rooted(request_.operation) ? request_.root : nobody;
    add_relays("relays", Hubs::root, root);
    if (landscape_.clusters().size() > 2) add_relays("relays, hubs in turn", Hubs::others, root);
  }

  void add_relays(const char* name, Hubs hubs, Rank root) {
    const std::vector<std::int64_t> weights = rates(request_, model_);
    const Landscape clusters = landscape_.of_clusters();
    // Few are soon under way; more than that only make pipelines longer to fill.
    for (const auto& [least, most] : {std::pair{2, 10}, std::pair{11, 32}}) {
      if (least >= request_.ranks) continue;
      const int trees = balanced_trees(landscape_, root, least, std::min(most, request_.ranks - 1));
      const std::string many = fmt::format("{} {}", trees, name);
      if (hubs != Hubs::others) add(relay_trees(many, landscape_, root, trees, hubs, weights));
      if (hubs == Hubs::root && clusters == landscape_) continue;
      add(relay_trees(many + ", of all clusters", clusters, root, trees, hubs, weights));
    }
  }

  void for_leaders() {
    std::vector<Inside> insides = shapes();
    insides.push_back({"greedy", Inside::Greedy{}});
    insides.push_back({"binary", binary_shape()});
    for (const Landscape& landscape : {landscape_, landscape_.of_clusters()}) {
      const std::size_t tops = landscape.whole().children.size();
      for (const Inside& inside : insides) {
        if (tops < 2) continue;
        const Composition composition{{&ecef_la_largest_schedule}, inside, false, true};
        add({fmt::format("{} leaders over {}", tops, inside.name),
             compose_with_leaders(landscape, composition, times_)});
      }
    }
    if (algorithm_.several_trees && landscape_.clusters().size() > 1) add_relays("sets of leaders", Hubs::none, nobody);
  }

  const Request& request_;
  const Algorithm& algorithm_;
  const Model& model_;
  const Landscape& landscape_;
  MessageTimes times_;
  Rank root_ = 0;
  std::vector<MappedTrees> all_;
};

// Ranks of a cluster collect what leaves it, so that nearly all bytes travel twice. Where that takes longer than the
// longest latency and what a rank's messages cost beside their bytes, more is lost than there is to be saved.
bool collecting_may_pay(const Request& request, const Model& model) {
  std::int64_t exchanged = 0;
  for (Rank rank = 0; rank < request.ranks; ++rank) {
    exchanged = plus(exchanged, request.exchange.sends(rank).total());
  }
  const Bytes own = exchanged / request.ranks * request.element_bytes;
  Picoseconds again = never;
  Picoseconds empty = never;
  for (Rank rank = 0; rank < request.ranks; ++rank) {
    const Rank next = (rank + 1) % request.ranks;
    again = std::min(again, message_time_parts(model, rank, next, own).gap);
    empty = std::min(empty, message_time_parts(model, rank, next, 0).gap);
  }
  return again <= plus(model.longest_latency(), request.ranks * empty);
}

}  // namespace

std::vector<MappedTrees> trees_for(const Request& request, const Algorithm& algorithm, const Model& model,
                                   const Landscape& landscape, Bytes message_bytes) {
  if (!algorithm.mapped || request.ranks < 2) return {};
  if (sizes(request.operation) == Sizes::blocks) {
    if (is_rooted(request.operation)) return block_trees(request, model, landscape);
    if (algorithm.several_trees) return level_trees(landscape);
  }
  if (sizes(request.operation) == Sizes::exchange) {
    if (request.knowledge == Knowledge::as_in_mpi || !collecting_may_pay(request, model)) return {};
    return cluster_trees(landscape);
  }
  return TreesFor(request, algorithm, model, landscape, message_bytes).all();
}

}  // namespace tombolo
