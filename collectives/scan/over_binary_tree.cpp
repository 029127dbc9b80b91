#include <tombolo/collectives/lane_set.hpp>
#include <tombolo/collectives/scan/over_binary_tree.hpp>
#include <tombolo/collectives/segments.hpp>
#include <tombolo/collectives/shapes.hpp>

namespace tombolo {

namespace {

class Branch {
 public:
  Branch(const Request& request, const Parameters& parameters, Rank rank, bool inclusive, ScheduleWriter& writer)
      : request_(request),
        node_(Tree(binary_shape(), request.ranks).node(rank)),
        children_(node_.children_by_place()),
        inclusive_(inclusive),
        writer_(writer),
        out_(LaneSet::with_children(writer, parameters)),
        in_(LaneSet::with_children(writer, parameters)) {
    const bool sums = !children_.empty() && is_needed(children_.front());
    const bool adds = has_prefix() && (inclusive || !children_.empty());
    if (sums) sums_ = writer.scratch(request.count);
    if (adds || (children_.size() == 2 && is_needed(children_[1]))) slot_ = writer.scratch(request.count);
  }

  // Adds up what the subtree has. What precedes the second child, within the subtree, stays where it is.
  void up(const Piece& part) {
    Piece sum = own(part);
    for (std::size_t child = 0; child < children_.size(); ++child) {
      if (!is_needed(children_[child])) continue;
      const Piece arrived = child == 0 ? at(sums_, part) : at(slot_, part);
      receive(children_[child].top, arrived);
      writer_.reduce({sum}, {arrived});
      sum = arrived;
    }
    if (is_needed(node_.subtree)) send(node_.parent, sum);
  }

  // Puts what precedes the subtree before all that.
  void down(const Piece& part) {
    const Piece result{Buffer::output, part.offset, part.count};
    Piece with_own = own(part);
    if (inclusive_) {
      writer_.copy({with_own}, {result});
      with_own = result;
    } else if (has_prefix() && !children_.empty()) {
      writer_.copy({with_own}, {at(slot_, part)});
      with_own = at(slot_, part);
    }
    const Piece before = inclusive_ ? at(slot_, part) : result;
    if (has_prefix()) receive(node_.parent, before);
    if (has_prefix() && (inclusive_ || !children_.empty())) writer_.reduce({before}, {with_own});
    if (!children_.empty()) send(children_[0].top, with_own);
    if (children_.size() < 2) return;
    const Piece with_first = at(sums_, part);
    if (has_prefix()) writer_.reduce({before}, {with_first});
    send(children_[1].top, with_first);
  }

 private:
  bool has_prefix() const { return node_.parent >= 0; }
  // Whether there is a rank after those of the subtree.
  bool is_needed(const Subtree& subtree) const { return subtree.end() < request_.ranks; }
  Piece own(const Piece& part) const {
    return {request_.in_place ? Buffer::output : Buffer::input, part.offset, part.count};
  }
  static Piece at(std::int64_t area, const Piece& part) { return {Buffer::scratch, area + part.offset, part.count}; }
  void send(Rank to, const Piece& piece) { writer_.send(to, {piece}, {.lane = out_.lane(to)}); }
  void receive(Rank from, const Piece& piece) { writer_.receive(from, {piece}, {.lane = in_.lane(from)}); }

  const Request& request_;
  Tree::Node node_;
  std::vector<Subtree> children_;
  bool inclusive_;
  ScheduleWriter& writer_;
  LaneSet out_;
  LaneSet in_;
  std::int64_t sums_ = 0;  // own vector and first child's subtree
  std::int64_t slot_ = 0;  // what arrives, or the own vector set aside
};

}  // namespace

void scan_over_binary_tree(const Request& request, const Parameters& parameters, Rank rank, bool inclusive,
                           ScheduleWriter& writer) {
  Branch branch(request, parameters, rank, inclusive, writer);
  for (const Piece& part :
       segments({Buffer::output, 0, request.count}, request.element_bytes, parameters.segment_bytes)) {
    branch.up(part);
    branch.down(part);
  }
}

}  // namespace tombolo
