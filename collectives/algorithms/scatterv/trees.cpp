// Scatters down a tree: the blocks of a subtree travel together, and each rank sends every child the blocks of the
// child's subtree. The algorithms differ only in the tree: a tree topology over virtual ranks, or a tree mapped to the
// platform.

#include <algorithm>

#include <tombolo/collectives/algorithms/common/channel_set.hpp>
#include <tombolo/collectives/algorithms/common/segments.hpp>
#include <tombolo/collectives/algorithms/common/subtree_blocks.hpp>
#include <tombolo/collectives/algorithms/common/tree_routes.hpp>
#include <tombolo/collectives/plan/algorithm.hpp>
#include <tombolo/collectives/topology/tree.hpp>

namespace tombolo {

namespace {

// Leaves receive into their output; no copies are made on the way. The blocks for a link are cut into segments, those
// of the highest virtual ranks first, so that an inner node forwards the first segments while later ones arrive.
void scatterv_blocks(const SubtreeBlocks& blocks, ScheduleWriter& writer) {
  const auto& [request, parameters, rank] = blocks.call();
  const Tree::Node& node = blocks.node();
  const std::int64_t own = blocks.count(rank);
  ChannelSet receives = ChannelSet::with_parents(writer, parameters);
  ChannelSet sends = ChannelSet::with_children(writer, parameters);
  // Both ends cut the blocks of a subtree in the order of virtual ranks and begin with the last segment.
  const auto last_first = [&](const BufferRanges& pieces) {
    auto parts = segments(pieces, request.element_bytes, parameters.segment_bytes);
    std::ranges::reverse(parts);
    return parts;
  };

  if (!blocks.is_root()) {
    const std::int64_t below = blocks.elements({node.subtree.top + 1, node.subtree.size - 1});
    writer.scratch(below);
    for (const BufferRanges& part : last_first({{Buffer::output, 0, own}, {Buffer::scratch, 0, below}})) {
      writer.receive(blocks.parent(), part, {.channel = receives.channel(blocks.parent())});
    }
  }
  for (const Subtree& child : node.children) {
    const Rank to = blocks.rank(child);
    const BufferRanges all = blocks.is_root() ? blocks.at_root(child, Buffer::input) : blocks.in_scratch(child);
    for (const BufferRanges& part : last_first(all)) writer.send(to, part, {.channel = sends.channel(to)});
  }
  // Direct blocks last, on both sides: other ranks wait for the blocks in the tree.
  const std::int64_t whole = request.blocks.count(rank);
  if (blocks.is_root()) {
    for (const Rank to : blocks.direct()) {
      writer.send(to, {{Buffer::input, request.blocks.offset(to), request.blocks.count(to)}});
    }
    if (!request.in_place) {
      writer.copy({{Buffer::input, request.blocks.offset(rank), whole}}, {{Buffer::output, 0, whole}});
    }
  } else if (blocks.is_direct(rank)) {
    writer.receive(request.root, {{Buffer::output, 0, whole}});
  }
}

// For ranks that know only their own counts: every parent first sends each inner child the counts of the child's
// subtree.
void learn_counts(const SubtreeBlocks& blocks, ScheduleWriter& writer) {
  if (!blocks.is_root()) writer.receive(blocks.parent(), blocks.counts(blocks.node().subtree, false));
  for (const Subtree& child : blocks.node().children) writer.send(blocks.rank(child), blocks.counts(child, false));
}

template <TreeFamily family>
consteval Algorithm over(std::string_view summary) {
  return over_tree<family>(Operation::scatterv, summary, write_over_family<family, scatterv_blocks>,
                           write_over_family<family, learn_counts>);
}

}  // namespace

const Algorithm scatterv_flat{
    .name = "flat",
    .operation = Operation::scatterv,
    .summary = "the root sends every rank its block; each element travels once, for large blocks",
    .write = write_over_family<flat_tree, scatterv_blocks>,
    .shape = flat_tree,
};

const Algorithm scatterv_binomial =
    over<binomial_tree>("blocks travel down a binomial tree; fewest messages at the root, for small blocks");

const Algorithm scatterv_k_nomial =
    over<k_nomial_tree>("blocks travel down a tree of fewer levels than the binomial, with more messages at the root");
const Algorithm scatterv_postal =
    over<postal_tree>("blocks travel down the tree that reaches most ranks in any time; for small blocks");

const Algorithm scatterv_k_ary = over<k_ary_tree>("blocks travel down a tree of a few children each; for small blocks");

const Algorithm scatterv_chain = over<chain_tree>(
    "all that is left goes from rank to rank; one partner each, where the root has one good link only");

const Algorithm scatterv_mapped{
    .name = "mapped",
    .operation = Operation::scatterv,
    .summary = "blocks travel down a tree made for the platform and for their sizes",
    .write = write_over_mapped<scatterv_blocks>,
    .learn = write_over_mapped<learn_counts>,
    .uses = {Parameter::segment_bytes},
    .mapped = Mapped::tree,
};

}  // namespace tombolo
