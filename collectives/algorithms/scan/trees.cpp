// Scan and exscan over trees made for the platform, each with a share of the vector. Sums of consecutive ranks go up a
// tree, the sum of all lower ranks comes down to each subtree (Blelloch 1990). Leaders, the roots of a tree with
// several, exchange the sums of their clusters. Ranks may be anywhere in a tree: a subtree consists of runs, maximal
// sets of consecutive ranks, and every message holds one vector for each run. So operands are always combined in the
// order of ranks.

#include <algorithm>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

#include <tombolo/collectives/algorithms/common/channel_set.hpp>
#include <tombolo/collectives/algorithms/common/segments.hpp>
#include <tombolo/collectives/algorithms/common/tree_routes.hpp>
#include <tombolo/collectives/algorithms/scan/chain.hpp>
#include <tombolo/collectives/operations/contract.hpp>
#include <tombolo/collectives/plan/algorithm.hpp>

namespace tombolo {

namespace {

std::vector<RankRange> runs_of(const RankTree& tree, const Subtree& subtree) {
  const auto first = tree.order().begin() + subtree.top;
  std::vector<Rank> ranks(first, first + subtree.size);
  std::ranges::sort(ranks);
  std::vector<RankRange> runs;
  for (const Rank rank : ranks) {
    if (runs.empty() || runs.back().last + 1 != rank) runs.push_back({rank, rank});
    runs.back().last = rank;
  }
  return runs;
}

// The most vectors that a rank holds at a time for one tree: the sums of its children, of itself and, at a leader, of
// all clusters, and the sums that precede its own runs.
std::int64_t most_vectors(const RankTree& tree) {
  const auto size = static_cast<std::size_t>(tree.ranks());
  std::vector<std::int64_t> runs(size);  // by virtual rank
  for (int place = 0; place < tree.ranks(); ++place) runs[static_cast<std::size_t>(place)] = 1;
  // Two consecutive ranks are one run less in the smallest subtree with both, and in those around it.
  for (Rank rank = 1; rank < tree.ranks(); ++rank) {
    const int high = std::max(tree.place(rank - 1), tree.place(rank));
    int around = std::min(tree.place(rank - 1), tree.place(rank));
    while (around >= 0 && tree.subtree(around).end() <= high) around = tree.parents()[static_cast<std::size_t>(around)];
    if (around >= 0) --runs[static_cast<std::size_t>(around)];
  }
  std::vector<std::int64_t> vectors(size, 1);
  std::int64_t of_leaders = 0;
  for (std::size_t place = size; place-- > 0;) {
    vectors[place] += runs[place];
    const int parent = tree.parents()[place];
    if (parent < 0) {
      of_leaders += runs[place];
      continue;
    }
    runs[static_cast<std::size_t>(parent)] += runs[place];
    vectors[static_cast<std::size_t>(parent)] += runs[place];
  }
  return *std::ranges::max_element(vectors) + (tree.subtree(0).size < tree.ranks() ? of_leaders : 0);
}

constexpr int nowhere = -1;

// Vectors in slots of scratch, by index.
struct Item {
  RankRange ranks;
  int child = nowhere;  // index among the children; nowhere: the own vector
  int sum = nowhere;    // slot of the sum of the ranks, later of all items of the run up to this one
};

struct Run {
  RankRange ranks;
  std::vector<Item> items;
  int before = nowhere;  // slot of the sum of all lower ranks
  bool is_own() const { return items.size() == 1 && items.front().child == nowhere; }
};

// A run of another leader's cluster.
struct Foreign {
  RankRange ranks;
  int leader = 0;  // index
  int sum = 0;
};

// One rank's place in a tree.
struct Station {
  Station(const RankTree& tree, Rank rank);

  bool is_needed(const RankRange& run) const { return run.last + 1 < all; }
  static bool has_before(const RankRange& run) { return run.first > 0; }
  bool is_leader() const { return leaders.size() > 1; }

  int all;  // ranks
  Rank parent = nobody;
  std::vector<Rank> children;  // in sending order
  std::vector<Run> runs;       // of the own subtree, ascending
  int slots = 0;

  std::vector<Rank> leaders;     // of all clusters; empty if the rank is none or the only one
  int own = 0;                   // index among the leaders
  std::vector<Rank> waits;       // by leader, the first rank of its last run
  std::vector<Foreign> foreign;  // the runs of other leaders before the own last one, ascending
};

Station::Station(const RankTree& tree, Rank rank) : all(tree.ranks()) {
  const Tree::Node node = tree.node(tree.place(rank));
  const auto at = [&tree](int place) { return tree.order()[static_cast<std::size_t>(place)]; };
  if (node.parent >= 0) parent = at(node.parent);
  for (const RankRange& run : runs_of(tree, node.subtree)) runs.push_back({run, {}});
  std::vector<Item> items{{{rank, rank}}};
  for (const Subtree& child : node.children) {
    for (const RankRange& run : runs_of(tree, child)) {
      items.push_back({run, static_cast<int>(children.size()), is_needed(run) ? slots++ : nowhere});
    }
    children.push_back(at(child.top));
  }
  std::ranges::sort(items, {}, [](const Item& item) { return item.ranks.first; });
  auto run = runs.begin();
  for (const Item& item : items) {
    while (run->ranks.last < item.ranks.first) ++run;
    run->items.push_back(item);
  }
  const std::vector<Rank> roots = node.parent < 0 ? tree.roots() : std::vector<Rank>{};
  for (Run& each : runs) {
    for (Item& item : each.items) {
      const bool goes_on = each.items.size() > 1 && (&item != &each.items.back() || is_needed(each.ranks));
      if (item.child == nowhere && goes_on) item.sum = slots++;
    }
    if (has_before(each.ranks) && roots.empty()) each.before = slots++;
  }
  if (roots.size() < 2) return;
  leaders = roots;
  own = tree.root_index(rank);
  for (std::size_t leader = 0; leader < leaders.size(); ++leader) {
    const std::vector<RankRange> its = runs_of(tree, tree.subtree(tree.place(leaders[leader])));
    waits.push_back(its.back().first);
    if (static_cast<int>(leader) == own) continue;
    for (const RankRange& each : its) {
      if (each.last < runs.back().ranks.first) foreign.push_back({each, static_cast<int>(leader), 0});
    }
  }
  std::ranges::sort(foreign, {}, [](const Foreign& each) { return each.ranks.first; });
  for (Foreign& each : foreign) each.sum = slots++;
}

// Writes the steps of one rank, piece by piece of the vector.
class TreeScan {
 public:
  TreeScan(const Request& request, const Parameters& parameters, ScheduleWriter& writer)
      : request_(request),
        writer_(writer),
        up_in_(ChannelSet::with_children(writer, parameters)),
        up_out_(ChannelSet::with_parents(writer, parameters)),
        across_in_(ChannelSet::with_parents(writer, parameters)),
        across_out_(ChannelSet::with_parents(writer, parameters)),
        down_in_(ChannelSet::with_parents(writer, parameters)),
        down_out_(ChannelSet::with_children(writer, parameters)) {}

  // `scratch`: offset of room for the slots of the station. `further`: messages in flight beyond the window, by peer.
  template <class Further>
  void write(const BufferRange& part, const Station& station, std::int64_t scratch, const Further& further) {
    part_ = part;
    scratch_ = scratch;
    if (request_.operation == Operation::scan && !request_.in_place) writer_.copy({own()}, {part_});
    add_up(station, further);
    if (station.is_leader()) exchange(station, further);
    const std::vector<BufferRange> before = station.is_leader() ? before_of_leader(station) : receive(station, further);
    hand_down(station, before, further);
  }

 private:
  BufferRange own() const { return {request_.in_place ? Buffer::output : Buffer::input, part_.offset, part_.count}; }
  BufferRange slot(int index) const { return {Buffer::scratch, scratch_ + index * part_.count, part_.count}; }
  BufferRange sum_of(const Run& run) const { return run.is_own() ? own() : slot(run.items.back().sum); }

  // The sums of the children's runs arrive and become sums of all items of a run up to each one.
  template <class Further>
  void add_up(const Station& station, const Further& further) {
    for (std::size_t child = station.children.size(); child-- > 0;) {
      BufferRanges arriving;
      for (const Run& run : station.runs) {
        for (const Item& item : run.items) {
          if (item.child == static_cast<int>(child) && item.sum != nowhere) arriving.push_back(slot(item.sum));
        }
      }
      const Rank from = station.children[child];
      if (!arriving.empty()) writer_.receive(from, arriving, {.channel = up_in_.channel(from, further(from))});
    }
    BufferRanges sums;
    for (const Run& run : station.runs) {
      for (std::size_t i = 0; i < run.items.size(); ++i) {
        const Item& item = run.items[i];
        if (item.sum == nowhere) continue;
        if (item.child == nowhere) writer_.copy({own()}, {slot(item.sum)});
        const bool goes_on = i + 1 < run.items.size() || station.is_needed(run.ranks);
        if (i > 0 && goes_on) writer_.reduce({slot(run.items[i - 1].sum)}, {slot(item.sum)});
      }
      if (station.is_needed(run.ranks)) sums.push_back(sum_of(run));
    }
    const Rank to = station.parent;
    if (to != nobody && !sums.empty()) writer_.send(to, sums, {.channel = up_out_.channel(to, further(to))});
  }

  // Every leader sends another one the sums of its runs before that one's last run.
  template <class Further>
  void exchange(const Station& station, const Further& further) {
    const auto count = static_cast<int>(station.leaders.size());
    for (int step = 1; step < count; ++step) {
      const auto to = static_cast<std::size_t>((station.own + step) % count);
      BufferRanges sums;
      for (const Run& run : station.runs) {
        if (run.ranks.last < station.waits[to]) sums.push_back(sum_of(run));
      }
      const Rank peer = station.leaders[to];
      if (!sums.empty()) writer_.send(peer, sums, {.channel = across_out_.channel(peer, further(peer))});
    }
    for (int step = 1; step < count; ++step) {
      const int from = (station.own - step + count) % count;
      BufferRanges arriving;
      for (const Foreign& each : station.foreign) {
        if (each.leader == from) arriving.push_back(slot(each.sum));
      }
      const Rank peer = station.leaders[static_cast<std::size_t>(from)];
      if (!arriving.empty()) writer_.receive(peer, arriving, {.channel = across_in_.channel(peer, further(peer))});
    }
  }

  // By run, the sum of all lower ranks: sums of other clusters up to each one, into which own sums are combined too.
  std::vector<BufferRange> before_of_leader(const Station& station) {
    std::vector<BufferRange> before;
    std::optional<BufferRange> lower;  // the sum of all lower ranks
    auto next = station.foreign.begin();
    const Run* last = nullptr;  // an own run after `lower`
    for (const Run& run : station.runs) {
      for (; next != station.foreign.end() && next->ranks.first < run.ranks.first; ++next) {
        if (last != nullptr) writer_.reduce({sum_of(*last)}, {slot(next->sum)});
        if (lower) writer_.reduce({*lower}, {slot(next->sum)});
        lower = slot(next->sum);
        last = nullptr;
      }
      before.push_back(lower.value_or(BufferRange{}));
      last = &run;
    }
    return before;
  }

  template <class Further>
  std::vector<BufferRange> receive(const Station& station, const Further& further) {
    std::vector<BufferRange> before;
    BufferRanges arriving;
    for (const Run& run : station.runs) {
      const bool direct = request_.operation == Operation::exscan && run.is_own();
      before.push_back(run.before == nowhere ? BufferRange{} : direct ? part_ : slot(run.before));
      if (run.before != nowhere) arriving.push_back(before.back());
    }
    const Rank from = station.parent;
    if (!arriving.empty()) writer_.receive(from, arriving, {.channel = down_in_.channel(from, further(from))});
    return before;
  }

  // Every item gets the sum of all lower ranks.
  template <class Further>
  void hand_down(const Station& station, const std::vector<BufferRange>& before, const Further& further) {
    std::vector<BufferRanges> to_child(station.children.size());
    for (std::size_t i = 0; i < station.runs.size(); ++i) {
      const Run& run = station.runs[i];
      const bool has_before = Station::has_before(run.ranks);
      for (std::size_t item = 0; item < run.items.size(); ++item) {
        if (item == 0 && !has_before) continue;
        const BufferRange lower = item == 0 ? before[i] : slot(run.items[item - 1].sum);
        if (item > 0 && has_before) writer_.reduce({before[i]}, {lower});
        const int child = run.items[item].child;
        child == nowhere ? finish(lower) : to_child[static_cast<std::size_t>(child)].push_back(lower);
      }
    }
    for (std::size_t child = 0; child < station.children.size(); ++child) {
      const Rank to = station.children[child];
      if (to_child[child].empty()) continue;
      writer_.send(to, to_child[child], {.channel = down_out_.channel(to, further(to))});
    }
  }

  void finish(const BufferRange& lower) {
    if (request_.operation == Operation::scan) {
      writer_.reduce({lower}, {part_});
    } else if (lower != part_) {
      writer_.copy({lower}, {part_});
    }
  }

  const Request& request_;
  ScheduleWriter& writer_;
  ChannelSet up_in_, up_out_, across_in_, across_out_, down_in_, down_out_;
  BufferRange part_;  // of the result
  std::int64_t scratch_ = 0;
};

// Elements of the longest piece for which every rank's scratch has room; 0 if there is none. Equal on all ranks.
std::int64_t longest_piece(const MappedTrees& trees, const std::vector<Share>& shares, std::int64_t limit) {
  std::int64_t longest = 1;
  for (const Share& share : shares) longest = std::max(longest, share.count);
  if (limit / (3 * std::int64_t{trees.ranks()} + 1) >= longest) return longest;
  std::int64_t most = 1;
  for (const MappedTrees::Weighted& each : trees.all()) most = std::max(most, most_vectors(each.tree));
  return std::min(longest, limit / most);
}

void write_over_trees(const MappedTrees& trees, const Request& request, const Parameters& parameters, Rank rank,
                      ScheduleWriter& writer) {
  const std::vector<Share> shares = shares_over_trees(trees, request, parameters);
  const std::int64_t limit = combining_scratch_limit(request.count, request.element_bytes);
  const std::int64_t each = longest_piece(trees, shares, limit);
  if (each == 0) {
    write_scan_along_chain(request, parameters, rank, writer);
    return;
  }
  std::vector<std::optional<Station>> stations(static_cast<std::size_t>(trees.size()));
  std::int64_t wanted = 0;
  for (const Share& share : shares) {
    std::optional<Station>& station = stations[static_cast<std::size_t>(share.tree)];
    if (!station) station.emplace(trees.tree(share.tree), rank);
    wanted += station->slots * share.count;
  }
  const std::int64_t room = std::min(wanted, limit);
  const std::int64_t begin = writer.scratch(room);
  std::int64_t used = 0;
  const TreeRoutes routes = routes_over_trees(trees, request, parameters, rank, Direction::down);
  const auto further = [&](Rank peer) { return routes.further(peer, parameters.segment_bytes); };
  TreeScan scan(request, parameters, writer);
  for (const Share& share : shares) {
    const Station& station = *stations[static_cast<std::size_t>(share.tree)];
    for (const BufferRange& part : segments(BufferRange{Buffer::output, share.offset, share.count}, 1, each)) {
      const std::int64_t needed = station.slots * part.count;
      if (used + needed > room) used = 0;
      scan.write(part, station, begin + used, further);
      used += needed;
    }
  }
}

void write_mapped(const Request& request, const Parameters& parameters, Rank rank, ScheduleWriter& writer) {
  write_over_trees(trees_or_binomial(request, parameters), request, parameters, rank, writer);
}

void write_leaders(const Request& request, const Parameters& parameters, Rank rank, ScheduleWriter& writer) {
  write_over_trees(leaders_or_default(request, parameters), request, parameters, rank, writer);
}

consteval Algorithm over_leaders(Operation operation) {
  return {
      .name = "leaders",
      .operation = operation,
      .summary = "leaders of clusters exchange the sums of these, which go up and down trees: long links once in a row",
      .write = write_leaders,
      .uses = {Parameter::segment_bytes},
      .period = period_of_trees,
      .mapped = Mapped::sets_of_leaders,
  };
}

constexpr std::string_view summary =
    "sums go up trees made for the platform, what precedes them comes down, in segments, one share over each tree";

}  // namespace

const Algorithm scan_mapped = over_mapped(Operation::scan, summary, write_mapped, false);
const Algorithm exscan_mapped = over_mapped(Operation::exscan, summary, write_mapped, false);
const Algorithm scan_leaders = over_leaders(Operation::scan);
const Algorithm exscan_leaders = over_leaders(Operation::exscan);

}  // namespace tombolo
