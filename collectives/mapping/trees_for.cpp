#include <algorithm>
#include <bit>
#include <cstdint>
#include <map>
#include <string>
#include <utility>

#include <fmt/format.h>

#include <tombolo/collectives/mapping/block_trees.hpp>
#include <tombolo/collectives/mapping/compose.hpp>
#include <tombolo/collectives/mapping/long_links.hpp>
#include <tombolo/collectives/mapping/message_times.hpp>
#include <tombolo/collectives/mapping/relay_trees.hpp>
#include <tombolo/collectives/mapping/rotated_trees.hpp>
#include <tombolo/collectives/mapping/trees_for.hpp>
#include <tombolo/collectives/mapping/variants.hpp>
#include <tombolo/collectives/topology/tree.hpp>
#include <tombolo/units.hpp>

namespace tombolo {

namespace {

// "binary", or "binary (3), chain" where groups differ.
std::string names_of(const std::vector<Inside>& insides) {
  std::vector<std::pair<std::string, int>> counts;
  for (const Inside& inside : insides) {
    const auto found = std::ranges::find(counts, inside.name, &std::pair<std::string, int>::first);
    if (found == counts.end()) {
      counts.emplace_back(inside.name, 1);
    } else {
      ++found->second;
    }
  }
  if (counts.size() == 1) return counts.front().first;
  std::string names;
  for (const auto& [name, count] : counts) {
    names += (names.empty() ? "" : ", ") + (count > 1 ? fmt::format("{} ({})", name, count) : name);
  }
  return names;
}

class TreesFor {
 public:
  TreesFor(const Request& request, const Algorithm& algorithm, const Model& model, const Hierarchy& hierarchy,
           Bytes message_bytes, const ModelWithin& model_within)
      : request_(request),
        algorithm_(algorithm),
        model_(model),
        model_within_(model_within),
        hierarchy_(hierarchy),
        times_(model, request.ranks, message_bytes) {
    if (algorithm.follows_leaders()) {
      for_leaders();
      return;
    }
    root_ = is_rooted(request.operation) ? request.root : central_rank(hierarchy, times_);
    const Bytes vector = request.count * request.element_bytes;
    Picoseconds near = never;  // time of the bytes over the fastest link of the root; `far`: over the slowest
    Picoseconds far = 0;
    for (Rank rank = 0; rank < request.ranks; ++rank) {
      if (rank == root_) continue;
      const Picoseconds bytes = message_time_parts(model, root_, rank, vector).gap;
      near = std::min(near, bytes);
      far = std::max(far, bytes);
    }
    // Trees for latency cannot win if their depth in messages takes far longer than the longest latency; trees for
    // bandwidth cannot win if the bytes take far less.
    const Picoseconds latency = std::max<Picoseconds>(model.longest_latency(), 1);
    const auto depth = static_cast<Picoseconds>(std::bit_width(static_cast<unsigned>(request.ranks)));
    if (near / 2 * depth <= latency) for_latency();
    if (far >= latency / 16 && vector > 0 && algorithm.follows_several_trees()) for_bytes();
  }

  std::vector<MappedTrees> all() && { return std::move(all_); }

 private:
  void add(const MappedTrees& made) {
    MappedTrees trees = algorithm_.heeds(Parameter::segment_bytes) ? with_long_links(made, model_) : made;
    if (std::ranges::find(all_, trees) == all_.end()) all_.push_back(std::move(trees));
  }

  bool is_one_cluster() const { return hierarchy_.whole().children.empty(); }

  void add_composed(const Hierarchy& hierarchy, const GroupSchedule& schedule, const Inside& inside) {
    const Composition composition{{&schedule}, {inside}, false, true};
    const std::string name = is_one_cluster() ? inside.name : fmt::format("{} over {}", schedule.name, inside.name);
    add({name, compose(hierarchy, root_, composition, times_)});
  }

  // The fastest of some shapes in each innermost group, in the order of innermost_groups().
  std::vector<Inside> own_insides(const Hierarchy& hierarchy, const std::vector<Inside>& insides) const {
    const Bytes vector = request_.count * request_.element_bytes;
    const std::int64_t messages = times_.bytes() > 0 ? (vector + times_.bytes() - 1) / times_.bytes() : 1;
    std::map<const Model*, MessageTimes> others;
    std::vector<Inside> own;
    for (const Hierarchy::Group* group : innermost_groups(hierarchy)) {
      const Model& believed = model_within_ ? model_within_(group->ranks) : model_;
      const MessageTimes* within = &times_;
      if (&believed != &model_) {
        within = &others.try_emplace(&believed, believed, request_.ranks, times_.bytes()).first->second;
      }
      own.push_back(fastest_inside(insides, group->ranks, *within, std::max<std::int64_t>(messages, 1)));
    }
    return own;
  }

  // A shape of its own in each innermost group; nothing where there is one group, or where there are too many to look
  // at each while a call waits.
  void add_by_group(const GroupSchedule& schedule, const std::vector<Inside>& insides) {
    constexpr std::size_t most_groups = 128;
    const std::size_t groups = innermost_groups(hierarchy_).size();
    if (groups < 2 || groups > most_groups) return;
    const Composition composition{{&schedule}, own_insides(hierarchy_, insides), false, true};
    add({fmt::format("{} over {}", schedule.name, names_of(composition.inside)),
         compose(hierarchy_, root_, composition, times_)});
  }

  std::vector<Inside> shapes() const { return shallow_shapes(delay(model_, times_.bytes())); }

  void for_latency() {
    const Inside greedy{"greedy", Inside::Greedy{}};
    for (const GroupSchedule* schedule : schedules_by_links()) add_composed(hierarchy_, *schedule, greedy);
    if (!is_one_cluster()) {
      add({"greedy", compose(Hierarchy(request_.ranks), root_, {{&ecef_schedule}, {greedy}, false, true}, times_)});
      add_composed(hierarchy_.of_clusters(), ecef_schedule, greedy);
    }
    for (const Inside& inside : shapes()) add_composed(hierarchy_, ecef_la_largest_schedule, inside);
    std::vector<Inside> all = shapes();
    all.push_back(greedy);
    add_by_group(fastest_schedule, all);
  }

  void for_bytes() {
    for (const Inside& inside : {Inside{"chain", chain_tree()}, Inside{"binary", binary_tree()}}) {
      add_composed(hierarchy_, ecef_schedule, inside);
    }
    add_by_group(ecef_schedule, inside_shapes(delay(model_, times_.bytes())));
    const Rank root = is_rooted(request_.operation) ? request_.root : nobody;
    add_relays("relays", Hubs::root, root);
    if (hierarchy_.clusters().size() > 2) add_relays("relays, hubs in turn", Hubs::others, root);
    add_rotated(root);
  }

  // As many trees as ranks of a mean cluster or as clusters, so that the places of all ranks and the hubs take turns,
  // and twice as many, which fill their pipelines sooner; in segments no more trees than there are segments. A hub's
  // rank serves about as many clusters as it has children in its own.
  void add_rotated(Rank root) {
    constexpr int radix = 4;
    constexpr int most_trees = 256;
    constexpr int clusters_of_sender = 8;
    const auto groups = static_cast<int>(hierarchy_.whole().children.size());
    const auto clusters = static_cast<int>(hierarchy_.clusters().size());
    const Bytes vector = request_.count * request_.element_bytes;
    const Bytes parts = times_.bytes() > 0 && times_.bytes() < vector ? vector / times_.bytes() : request_.count;
    if (groups < 3 || hierarchy_.whole().kind != Level::Kind::group) return;
    const int turns = std::max((request_.ranks + clusters - 1) / clusters, groups);
    for (const int trees : {turns, 2 * turns}) {
      if (trees > std::min<std::int64_t>(parts, most_trees)) continue;
      RotatedTrees how{.trees = trees,
                       .inside = k_nomial_tree({.radix = radix}),
                       .senders = (groups + clusters_of_sender - 1) / clusters_of_sender};
      add(rotated_trees(fmt::format("{} rotated trees", trees), hierarchy_, root, how));
      if (root == nobody) continue;
      how.from_root = true;
      add(rotated_trees(fmt::format("{} rotated trees from the root's cluster", trees), hierarchy_, root, how));
    }
  }

  void add_relays(const char* name, Hubs hubs, Rank root) {
    const std::vector<std::int64_t> weights = rates(request_, model_);
    const Hierarchy clusters = hierarchy_.of_clusters();
    // Few trees fill their pipelines soon; more than 32 only take longer to fill.
    for (const auto& [least, most] : {std::pair{2, 10}, std::pair{11, 32}}) {
      if (least >= request_.ranks) continue;
      const int trees = balanced_trees(hierarchy_, root, least, std::min(most, request_.ranks - 1));
      const std::string many = fmt::format("{} {}", trees, name);
      if (hubs != Hubs::others) add(relay_trees(many, hierarchy_, root, trees, hubs, weights));
      if (hubs == Hubs::root && clusters == hierarchy_) continue;
      add(relay_trees(many + ", of all clusters", clusters, root, trees, hubs, weights));
    }
  }

  void for_leaders() {
    std::vector<Inside> insides = shapes();
    insides.push_back({"greedy", Inside::Greedy{}});
    insides.push_back({"binary", binary_tree()});
    for (const Hierarchy& hierarchy : {hierarchy_, hierarchy_.of_clusters()}) {
      const std::size_t leaders = hierarchy.whole().children.size();
      for (const Inside& inside : insides) {
        if (leaders < 2) continue;
        const Composition composition{{&ecef_la_largest_schedule}, {inside}, false, true};
        add({fmt::format("{} leaders over {}", leaders, inside.name),
             compose_with_leaders(hierarchy, composition, times_)});
      }
    }
    if (algorithm_.follows_several_trees() && hierarchy_.clusters().size() > 1)
      add_relays("sets of leaders", Hubs::none, nobody);
  }

  const Request& request_;
  const Algorithm& algorithm_;
  const Model& model_;
  const ModelWithin& model_within_;
  const Hierarchy& hierarchy_;
  MessageTimes times_;
  Rank root_ = 0;
  std::vector<MappedTrees> all_;
};

}  // namespace

std::vector<MappedTrees> trees_for(const Request& request, const Algorithm& algorithm, const Model& model,
                                   const Hierarchy& hierarchy, Bytes message_bytes, const ModelWithin& model_within) {
  if (!algorithm.is_mapped() || algorithm.follows_groups() || request.ranks < 2) return {};
  if (sizes(request.operation) == Sizes::blocks && is_rooted(request.operation)) {
    return block_trees(request, model, hierarchy);
  }
  return TreesFor(request, algorithm, model, hierarchy, message_bytes, model_within).all();
}

bool may_share_links(const Algorithm& algorithm, const ClusterLinks* links) {
  constexpr int most = 32;
  return links != nullptr && algorithm.mapped == Mapped::trees && links->size() > 2 && links->size() <= most;
}

std::vector<MappedTrees> link_sharing_trees_for(const Request& request, const Algorithm& algorithm, const Model& model,
                                                const Hierarchy& hierarchy, const ClusterLinks& links) {
  std::vector<MappedTrees> all;
  if (!may_share_links(algorithm, &links) || request.count == 0) return all;
  const Rank root = is_rooted(request.operation) ? request.root : nobody;
  for (const int most : {10, 32}) {
    const int trees = balanced_trees(hierarchy, root, most / 2 + 1, most);
    const MappedTrees made =
        link_sharing_trees(fmt::format("{} trees that share out links", trees), hierarchy.of_clusters(), links, root,
                           trees, request.count * request.element_bytes);
    all.push_back(with_long_links(made, model));
  }
  return all;
}

}  // namespace tombolo
