// Scatters down a tree: the blocks of a subtree travel together, and each rank sends every child the blocks of the
// child's subtree. The algorithms differ only in the tree: a tree topology over virtual ranks, or a tree mapped to the
// platform.

#include <algorithm>

#include <tombolo/collectives/algorithms/common/channel_set.hpp>
#include <tombolo/collectives/algorithms/common/mapped_routes.hpp>
#include <tombolo/collectives/algorithms/common/segments.hpp>
#include <tombolo/collectives/algorithms/common/subtree_blocks.hpp>
#include <tombolo/collectives/plan/algorithm.hpp>
#include <tombolo/collectives/topology/tree_families.hpp>

namespace tombolo {

namespace {

// Leaves receive into their output; no copies are made on the way. The blocks for a link are cut into segments, those
// of the highest virtual ranks first, so that an inner node forwards the first segments while later ones arrive.
void scatterv_blocks(const SubtreeBlocks& blocks, const Request& request, const Parameters& parameters, Rank rank,
                     ScheduleWriter& writer) {
  const Tree::Node& node = blocks.node();
  const std::int64_t own = blocks.count(rank);
  ChannelSet receives = ChannelSet::with_parents(writer, parameters);
  ChannelSet sends = ChannelSet::with_children(writer, parameters);
  // Both ends cut the blocks of a subtree in the order of virtual ranks and begin with the last segment.
  const auto last_first = [&](const BufferRanges& pieces) {
    auto parts = segments(pieces, request.element_bytes, parameters.segment_bytes);
    std::reverse(parts.begin(), parts.end());
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

template <TreeFamily shape>
void write_tree(const Request& request, const Parameters& parameters, Rank rank, ScheduleWriter& writer) {
  scatterv_blocks(SubtreeBlocks(shape(parameters), request, parameters, rank), request, parameters, rank, writer);
}

template <TreeFamily shape>
void learn_tree(const Request& request, const Parameters& parameters, Rank rank, ScheduleWriter& writer) {
  learn_counts(SubtreeBlocks(shape(parameters), request, parameters, rank), writer);
}

void write_mapped(const Request& request, const Parameters& parameters, Rank rank, ScheduleWriter& writer) {
  const MappedTrees trees = trees_or_binomial(request, parameters);
  scatterv_blocks(SubtreeBlocks(trees.tree(0), request, parameters, rank), request, parameters, rank, writer);
}

void learn_mapped(const Request& request, const Parameters& parameters, Rank rank, ScheduleWriter& writer) {
  const MappedTrees trees = trees_or_binomial(request, parameters);
  learn_counts(SubtreeBlocks(trees.tree(0), request, parameters, rank), writer);
}

}  // namespace

const Algorithm scatterv_flat{
    .name = "flat",
    .operation = Operation::scatterv,
    .summary = "the root sends every rank its block; each element travels once, for large blocks",
    .write = write_tree<flat_tree>,
    .shape = flat_tree,
};

const Algorithm scatterv_binomial{
    .name = "binomial",
    .operation = Operation::scatterv,
    .summary = "blocks travel down a binomial tree; fewest messages at the root, for small blocks",
    .write = write_tree<binomial_tree>,
    .shape = binomial_tree,
    .learn = learn_tree<binomial_tree>,
    .uses = {Parameter::segment_bytes},
};

const Algorithm scatterv_k_nomial{
    .name = "k_nomial",
    .operation = Operation::scatterv,
    .summary = "blocks travel down a tree of fewer levels than the binomial, with more messages at the root",
    .write = write_tree<k_nomial_tree>,
    .shape = k_nomial_tree,
    .learn = learn_tree<k_nomial_tree>,
    .uses = {Parameter::segment_bytes},
    .radix = k_nomial_radix,
};

const Algorithm scatterv_postal{
    .name = "postal",
    .operation = Operation::scatterv,
    .summary = "blocks travel down the tree that reaches most ranks in any time; for small blocks",
    .write = write_tree<postal_tree>,
    .shape = postal_tree,
    .learn = learn_tree<postal_tree>,
    .uses = {Parameter::segment_bytes, Parameter::delay},
};

const Algorithm scatterv_k_ary{
    .name = "k_ary",
    .operation = Operation::scatterv,
    .summary = "blocks travel down a tree of a few children each; for small blocks",
    .write = write_tree<k_ary_tree>,
    .shape = k_ary_tree,
    .learn = learn_tree<k_ary_tree>,
    .uses = {Parameter::segment_bytes},
    .radix = k_ary_radix,
};

const Algorithm scatterv_chain{
    .name = "chain",
    .operation = Operation::scatterv,
    .summary = "all that is left goes from rank to rank; one partner each, where the root has one good link only",
    .write = write_tree<chain_tree>,
    .shape = chain_tree,
    .learn = learn_tree<chain_tree>,
    .uses = {Parameter::segment_bytes},
};

const Algorithm scatterv_mapped{
    .name = "mapped",
    .operation = Operation::scatterv,
    .summary = "blocks travel down a tree made for the platform and for their sizes",
    .write = write_mapped,
    .learn = learn_mapped,
    .uses = {Parameter::segment_bytes},
    .mapped = Mapped::tree,
};

}  // namespace tombolo
