// Reductions up a tree, the mirror of bcast/trees.cpp. The algorithms differ only in the tree: a tree topology over
// virtual ranks; trees mapped to the platform, each of which carries a share of the vector; or striped trees, in which
// every rank has children in at most one tree. The algorithm "relays" has as many striped trees as ranks, so that every
// rank except the root is the only inner node of one tree.

#include <algorithm>
#include <unordered_map>

#include <tombolo/collectives/algorithms/common/channel_set.hpp>
#include <tombolo/collectives/algorithms/common/tree_packing.hpp>
#include <tombolo/collectives/algorithms/reduce/trees.hpp>
#include <tombolo/collectives/operations/contract.hpp>
#include <tombolo/collectives/plan/algorithm.hpp>
#include <tombolo/collectives/topology/tree.hpp>

namespace tombolo {

namespace {

// A rank's scratch for segments from its children, in slots that are used cyclically: as many slots as the windows
// admit messages in flight, within combining_scratch_limit(). With long links each child has separate slots, as many as
// wanted or as fit; in shared slots, messages from near children would wait for those from far ones.
class SegmentSlots {
 public:
  SegmentSlots(const TreeRoutes& routes, const Request& request, const Parameters& parameters, ScheduleWriter& writer);

  BufferRange next(Rank child, std::int64_t count);

 private:
  struct Ring {
    std::int64_t first = 0;  // index of the first slot
    std::int64_t slots = 0;
    std::int64_t turn = 0;
  };
  std::int64_t one_for_all(const TreeRoutes& routes, const Parameters& parameters, std::int64_t room);
  std::int64_t one_for_each(const TreeRoutes& routes, const Parameters& parameters, std::int64_t room);

  std::int64_t each_ = 0;   // elements of a slot
  std::int64_t begin_ = 0;  // in scratch
  Ring shared_;
  std::unordered_map<Rank, Ring> own_;
};

SegmentSlots::SegmentSlots(const TreeRoutes& routes, const Request& request, const Parameters& parameters,
                           ScheduleWriter& writer) {
  for (const TreeRoutes::Leg& leg : routes.legs) {
    if (!routes.roles[leg.role].children.empty()) each_ = std::max(each_, leg.count);
  }
  if (each_ == 0) return;
  const std::int64_t room = combining_scratch_limit(request.count, request.element_bytes) / each_;
  std::int64_t slots = 0;
  if (parameters.window > 0 && !routes.long_links.empty()) slots = one_for_each(routes, parameters, room);
  if (slots == 0) slots = one_for_all(routes, parameters, room);
  begin_ = writer.scratch(slots * each_);
}

// Allocates slots shared by all children, at least two: the sum is made in the slot where the next segment has arrived.
std::int64_t SegmentSlots::one_for_all(const TreeRoutes& routes, const Parameters& parameters, std::int64_t room) {
  std::int64_t receives = 0;
  std::int64_t most_children = 0;
  for (const TreeRoutes::Leg& leg : routes.legs) {
    const auto children = static_cast<std::int64_t>(routes.roles[leg.role].children.size());
    receives += children;
    most_children = std::max(most_children, children);
  }
  // In addition to messages in flight, one segment is being combined and one is being sent.
  const std::int64_t wanted = parameters.window > 0 ? 2 + parameters.window * most_children : receives;
  shared_.slots = std::min({wanted, receives, room});
  return shared_.slots;
}

// Allocates separate slots for each child. The last child's slots also hold sums that are being sent. Returns 0 if even
// a reduced number of slots does not fit.
std::int64_t SegmentSlots::one_for_each(const TreeRoutes& routes, const Parameters& parameters, std::int64_t room) {
  const auto further = [&](Rank peer) { return routes.further(peer, parameters.segment_bytes); };
  std::unordered_map<Rank, std::int64_t> receives;
  for (const TreeRoutes::Leg& leg : routes.legs) {
    for (const Rank child : routes.roles[leg.role].children) ++receives[child];
  }
  std::vector<Ring*> rings;
  std::int64_t all = 0;
  for (const Role& role : routes.roles) {
    for (const Rank child : role.children) {
      const bool last = child == role.children.back();
      const std::int64_t up = last && role.parent != nobody ? parameters.window + further(role.parent) : 0;
      const std::int64_t wanted = std::min(2 + parameters.window + further(child) + up, receives[child]);
      const auto [at, first] = own_.try_emplace(child);
      if (first) rings.push_back(&at->second);
      all += std::max<std::int64_t>(wanted - at->second.slots, 0);
      at->second.slots = std::max(at->second.slots, wanted);
    }
  }
  std::int64_t begin = 0;
  for (Ring* ring : rings) {
    if (all > room) ring->slots = std::max<std::int64_t>(ring->slots * room / all, 2);
    ring->first = begin;
    begin += ring->slots;
  }
  if (begin <= room) return begin;
  own_.clear();
  return 0;
}

BufferRange SegmentSlots::next(Rank child, std::int64_t count) {
  const auto own = own_.find(child);
  Ring& ring = own == own_.end() ? shared_ : own->second;
  const BufferRange slot{Buffer::scratch, begin_ + (ring.first + ring.turn) * each_, count};
  ring.turn = ring.turn + 1 == ring.slots ? 0 : ring.turn + 1;
  return slot;
}

// Each virtual rank combines the results of its children in order. Operands that do not commute are combined over a
// tree in rank order, whose root sends the result to the request's root.
template <TreeFamily shape>
void write_tree(const Request& request, const Parameters& parameters, Rank rank, ScheduleWriter& writer) {
  const RankOrder rank_order = request.commutative ? RankOrder(request.ranks, request.root, parameters.order)
                                                   : RankOrder::in_rank_order(request.ranks);
  const Rank top = rank_order.rank(0);
  const bool is_root = rank == request.root;
  TreeRoutes routes = routes_over_tree(shape(parameters), rank_order, request, parameters, rank, Direction::up);
  if (rank == top && !is_root) routes.roles.front().parent = request.root;
  reduce_along(routes, request, parameters, {.own_in_output = is_root && request.in_place, .has_output = is_root},
               writer);
  if (!is_root || rank == top) return;
  ChannelSet results = ChannelSet::with_parents(writer, parameters);
  for (const TreeRoutes::Leg& leg : routes.legs) {
    writer.receive(top, {{Buffer::output, leg.offset, leg.count}}, {.channel = results.channel(top)});
  }
}

template <TreeFamily family>
consteval Algorithm over(std::string_view summary) {
  return over_tree<family>(Operation::reduce, summary, write_tree<family>);
}

void write_mapped(const Request& request, const Parameters& parameters, Rank rank, ScheduleWriter& writer) {
  const MappedTrees trees = trees_or_binomial(request, parameters);
  const bool is_root = rank == request.root;
  reduce_along(routes_over_trees(trees, request, parameters, rank, Direction::up), request, parameters,
               {.own_in_output = is_root && request.in_place, .has_output = is_root}, writer);
}

// The root is above all trees; each segment goes up one of the trees, and from the tree's root to the request's root.
// Operands are reordered.
void reduce_over_striped_trees(int trees, const Request& request, const Parameters& parameters, Rank rank,
                               ScheduleWriter& writer) {
  const TreePacking packing(request, parameters, TreePacking::Root::above, trees);
  const TreeRoutes routes = routes_over_packing(packing, request, parameters, rank, Direction::up);
  const bool is_root = rank == request.root;
  reduce_along(routes, request, parameters, {.own_in_output = is_root && request.in_place, .has_output = is_root},
               writer);
  if (packing.trees() > 0 || request.in_place) return;
  writer.copy({{Buffer::input, 0, request.count}}, {{Buffer::output, 0, request.count}});
}

}  // namespace

void reduce_along(const TreeRoutes& routes, const Request& request, const Parameters& parameters, Vectors vectors,
                  ScheduleWriter& writer) {
  ChannelSet receives = ChannelSet::with_children(writer, parameters);
  ChannelSet sends = ChannelSet::with_parents(writer, parameters);
  const auto further = [&](Rank peer) { return routes.further(peer, parameters.segment_bytes); };
  SegmentSlots slots(routes, request, parameters, writer);
  for (const TreeRoutes::Leg& leg : routes.legs) {
    const Role& role = routes.roles[leg.role];
    const BufferRange output{Buffer::output, leg.offset, leg.count};
    // The sum so far is the left operand and the next child's segment the right one, which is replaced by the result;
    // operands keep their order.
    BufferRange sum{vectors.own_in_output ? Buffer::output : Buffer::input, leg.offset, leg.count};
    for (std::size_t child = 0; child < role.children.size(); ++child) {
      const Rank from = role.children[child];
      const bool last = child + 1 == role.children.size();
      const bool into_output = last && vectors.has_output && !vectors.own_in_output;
      const BufferRange arrived = into_output ? output : slots.next(from, leg.count);
      writer.receive(from, {arrived}, {.channel = receives.channel(from, further(from))});
      if (vectors.own_in_output && request.commutative) {
        writer.reduce({arrived}, {sum});
      } else {
        writer.reduce({sum}, {arrived});
        sum = arrived;
      }
    }
    if (role.parent != nobody) {
      writer.send(role.parent, {sum}, {.channel = sends.channel(role.parent, further(role.parent))});
    } else if (vectors.has_output) {
      writer.copy({sum}, {output});
    }
  }
}

const Algorithm reduce_flat = over<flat_tree>("the root receives from every rank; for two or three ranks");

const Algorithm reduce_binomial = over<binomial_tree>(
    "pairs combine, then pairs of pairs; fewest steps for small vectors, and keeps operands in order");

const Algorithm reduce_k_nomial =
    over<k_nomial_tree>("as binomial, but a rank combines several at a time; where sending takes less than arriving");

const Algorithm reduce_postal =
    over<postal_tree>("the tree that hears most ranks in any time, from what latency is to sending; for small vectors");

const Algorithm reduce_binary =
    over<binary_tree>("a tree of two children each; segments flow up it, for vectors of middle size");

const Algorithm reduce_k_ary =
    over<k_ary_tree>("a tree of a few children each; segments flow up it, for vectors of middle size");

const Algorithm reduce_chain =
    over<chain_tree>("from rank to rank; segments follow one another, every link is used once, for large vectors");

const Algorithm reduce_mapped = over_mapped(
    Operation::reduce, "up trees made for the platform, each with a share of the vector", write_mapped, true);

const Algorithm reduce_disjoint_trees = over_packing<reduce_over_striped_trees>(
    Operation::reduce,
    "trees that share out the segments, every rank with children in one only; two are the double tree", true);

const Algorithm reduce_relays = over_relays<reduce_over_striped_trees>(
    Operation::reduce, "each segment is combined by another rank and sent to the root; for large vectors", true);

}  // namespace tombolo
