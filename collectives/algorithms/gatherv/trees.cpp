// Gathers up a tree, the mirror of scatterv/trees.cpp: each rank collects the blocks of its children's subtrees and
// sends them to its parent behind its own block. The algorithms differ only in the tree: a tree topology over virtual
// ranks, or a tree mapped to the platform.

#include <tombolo/collectives/algorithms/common/channel_set.hpp>
#include <tombolo/collectives/algorithms/common/segments.hpp>
#include <tombolo/collectives/algorithms/common/subtree_blocks.hpp>
#include <tombolo/collectives/algorithms/common/tree_routes.hpp>
#include <tombolo/collectives/plan/algorithm.hpp>
#include <tombolo/collectives/topology/tree.hpp>

namespace tombolo {

namespace {

// Segments are forwarded while later ones still arrive.
void gatherv_blocks(const SubtreeBlocks& blocks, ScheduleWriter& writer) {
  const auto& [request, parameters, rank] = blocks.call();
  const Tree::Node& node = blocks.node();
  const std::int64_t own = blocks.count(rank);
  ChannelSet receives = ChannelSet::with_children(writer, parameters);
  ChannelSet sends = ChannelSet::with_parents(writer, parameters);
  const auto in_segments = [&](const BufferRanges& pieces) {
    return segments(pieces, request.element_bytes, parameters.segment_bytes);
  };

  // Direct blocks first, on both sides: they wait for no other rank.
  if (blocks.is_root()) {
    for (const Rank from : blocks.direct()) {
      writer.receive(from, {{Buffer::output, request.blocks.offset(from), request.blocks.count(from)}});
    }
  } else if (blocks.is_direct(rank)) {
    writer.send(request.root, {{Buffer::input, 0, request.blocks.count(rank)}});
  }
  // Children in the order of virtual ranks: in a binomial tree the first subtrees are the smallest and the first to be
  // complete.
  for (const Subtree& child : node.children_by_place()) {
    const Rank from = blocks.rank(child);
    const BufferRanges all = blocks.is_root() ? blocks.at_root(child, Buffer::output) : blocks.in_scratch(child);
    for (const BufferRanges& part : in_segments(all)) writer.receive(from, part, {.channel = receives.channel(from)});
  }
  if (!blocks.is_root()) {
    const std::int64_t below = blocks.elements({node.subtree.top + 1, node.subtree.size - 1});
    writer.scratch(below);
    for (const BufferRanges& part : in_segments({{Buffer::input, 0, own}, {Buffer::scratch, 0, below}})) {
      writer.send(blocks.parent(), part, {.channel = sends.channel(blocks.parent())});
    }
  } else if (!request.in_place) {
    const std::int64_t whole = request.blocks.count(rank);
    writer.copy({{Buffer::input, 0, whole}}, {{Buffer::output, request.blocks.offset(rank), whole}});
  }
}

// For ranks that know only their own counts: every inner node first collects the counts of its subtree.
void learn_counts(const SubtreeBlocks& blocks, ScheduleWriter& writer) {
  if (blocks.is_root()) return;  // the root knows all counts
  for (const Subtree& child : blocks.node().children) writer.receive(blocks.rank(child), blocks.counts(child, true));
  if (blocks.node().parent != 0) writer.send(blocks.parent(), blocks.counts(blocks.node().subtree, true));
}

template <TreeFamily family>
consteval Algorithm over(std::string_view summary) {
  return over_tree<family>(Operation::gatherv, summary, write_over_family<family, gatherv_blocks>,
                           write_over_family<family, learn_counts>);
}

}  // namespace

const Algorithm gatherv_flat{
    .name = "flat",
    .operation = Operation::gatherv,
    .summary = "every rank sends the root its block; each element travels once, for large blocks",
    .write = write_over_family<flat_tree, gatherv_blocks>,
    .shape = flat_tree,
    .floods = true,
};

const Algorithm gatherv_binomial =
    over<binomial_tree>("blocks travel up a binomial tree; fewest messages at the root, for small blocks");

const Algorithm gatherv_k_nomial =
    over<k_nomial_tree>("blocks travel up a tree of fewer levels than the binomial, with more messages at the root");
const Algorithm gatherv_postal =
    over<postal_tree>("blocks travel up the tree that reaches most ranks in any time; for small blocks");

const Algorithm gatherv_k_ary = over<k_ary_tree>("blocks travel up a tree of a few children each; for small blocks");

const Algorithm gatherv_chain =
    over<chain_tree>("blocks pile up from rank to rank; one partner each, where the root has one good link only");

const Algorithm gatherv_mapped{
    .name = "mapped",
    .operation = Operation::gatherv,
    .summary = "blocks travel up a tree made for the platform and for their sizes",
    .write = write_over_mapped<gatherv_blocks>,
    .learn = write_over_mapped<learn_counts>,
    .uses = {Parameter::segment_bytes},
    .mapped = Mapped::tree,
};

}  // namespace tombolo
