// Scan and exscan in two phases over a binary tree in rank order (Blelloch 1990): sums of subtrees go up, and the sum
// of all lower ranks comes down to each subtree, segment by segment, so that both phases overlap (Sanders and Traeff
// 2006). Sums that no higher rank needs are not sent.

#include <tombolo/collectives/algorithms/common/channel_set.hpp>
#include <tombolo/collectives/algorithms/common/segments.hpp>
#include <tombolo/collectives/plan/algorithm.hpp>
#include <tombolo/collectives/topology/tree.hpp>

namespace tombolo {

namespace {

// One rank's steps.
class Branch {
 public:
  Branch(const Request& request, const Parameters& parameters, Rank rank, ScheduleWriter& writer)
      : request_(request),
        node_(Tree(binary_tree(), request.ranks).node(rank)),
        children_(node_.children_by_place()),
        inclusive_(request.operation == Operation::scan),
        writer_(writer),
        out_(ChannelSet::with_children(writer, parameters)),
        in_(ChannelSet::with_children(writer, parameters)) {
    const bool sums = !children_.empty() && is_needed(children_.front());
    const bool adds = has_prefix() && (inclusive_ || !children_.empty());
    if (sums) sums_ = writer.scratch(request.count);
    if (adds || (children_.size() == 2 && is_needed(children_[1]))) slot_ = writer.scratch(request.count);
  }

  // Sums up the vectors of the subtree. The sum before the second child, within the subtree, stays in scratch.
  void up(const BufferRange& part) {
    BufferRange sum = own(part);
    for (std::size_t child = 0; child < children_.size(); ++child) {
      if (!is_needed(children_[child])) continue;
      const BufferRange arrived = child == 0 ? at(sums_, part) : at(slot_, part);
      receive(children_[child].top, arrived);
      writer_.reduce({sum}, {arrived});
      sum = arrived;
    }
    if (is_needed(node_.subtree)) send(node_.parent, sum);
  }

  // Adds the sum of the ranks before the subtree as left operand.
  void down(const BufferRange& part) {
    const BufferRange result{Buffer::output, part.offset, part.count};
    BufferRange with_own = own(part);
    if (inclusive_) {
      writer_.copy({with_own}, {result});
      with_own = result;
    } else if (has_prefix() && !children_.empty()) {
      writer_.copy({with_own}, {at(slot_, part)});
      with_own = at(slot_, part);
    }
    const BufferRange before = inclusive_ ? at(slot_, part) : result;
    if (has_prefix()) receive(node_.parent, before);
    if (has_prefix() && (inclusive_ || !children_.empty())) writer_.reduce({before}, {with_own});
    if (!children_.empty()) send(children_[0].top, with_own);
    if (children_.size() < 2) return;
    const BufferRange with_first = at(sums_, part);
    if (has_prefix()) writer_.reduce({before}, {with_first});
    send(children_[1].top, with_first);
  }

 private:
  bool has_prefix() const { return node_.parent >= 0; }
  // True if there is a rank after the subtree.
  bool is_needed(const Subtree& subtree) const { return subtree.end() < request_.ranks; }
  BufferRange own(const BufferRange& part) const {
    return {request_.in_place ? Buffer::output : Buffer::input, part.offset, part.count};
  }
  static BufferRange at(std::int64_t area, const BufferRange& part) {
    return {Buffer::scratch, area + part.offset, part.count};
  }
  void send(Rank to, const BufferRange& piece) { writer_.send(to, {piece}, {.channel = out_.channel(to)}); }
  void receive(Rank from, const BufferRange& piece) { writer_.receive(from, {piece}, {.channel = in_.channel(from)}); }

  const Request& request_;
  Tree::Node node_;
  std::vector<Subtree> children_;
  bool inclusive_;
  ScheduleWriter& writer_;
  ChannelSet out_;
  ChannelSet in_;
  std::int64_t sums_ = 0;  // sum of own vector and first child's subtree
  std::int64_t slot_ = 0;  // an arriving sum, or a copy of the own vector
};

void write_binary_tree(const Request& request, const Parameters& parameters, Rank rank, ScheduleWriter& writer) {
  Branch branch(request, parameters, rank, writer);
  for (const BufferRange& part :
       segments({Buffer::output, 0, request.count}, request.element_bytes, parameters.segment_bytes)) {
    branch.up(part);
    branch.down(part);
  }
}

consteval Algorithm over_binary_tree(Operation operation) {
  return {
      .name = "binary",
      .operation = operation,
      .summary = "sums go up a tree of two children each, what precedes them comes down, in segments; for middle sizes",
      .write = write_binary_tree,
      .uses = {Parameter::segment_bytes},
  };
}

}  // namespace

const Algorithm scan_binary = over_binary_tree(Operation::scan);
const Algorithm exscan_binary = over_binary_tree(Operation::exscan);

}  // namespace tombolo
