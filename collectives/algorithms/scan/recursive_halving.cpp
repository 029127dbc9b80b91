// Scan and exscan by halving and doubling, for large vectors: the tree of Blelloch 1990 over pairs of units of ranks,
// the halves of which work on half of the vector each, as in the reduce_scatter and allgather of Rabenseifner 2004.
// Units are consecutive ranks, so operands keep their order.

#include <algorithm>
#include <vector>

#include <tombolo/collectives/algorithms/scan/chain.hpp>
#include <tombolo/collectives/operations/contract.hpp>
#include <tombolo/collectives/plan/algorithm.hpp>

namespace tombolo {

namespace {

// The elements of the vector on which a rank works at a level, and their halves.
struct Part {
  std::int64_t offset = 0;
  std::int64_t count = 0;
  Part lower() const { return {offset, count - count / 2}; }
  Part upper() const { return {offset + lower().count, count / 2}; }
};

// The parts of one rank. At level k a unit is 2^k consecutive ranks, from a multiple of 2^k on; each of them has
// another part of the vector. Two units in a row, left and right, become one of the next level: a rank of the left one
// goes on with the lower half of its part, its partner in the right one with the upper half. Of an odd number of units
// the last one is left over: it goes no further and waits for its prefix, the sum of all ranks before it.
class Units {
 public:
  Units(int ranks, Rank rank, std::int64_t count) : ranks_(ranks), rank_(rank), parts_{{0, count}} {
    for (int level = 0; number(level) > 1; ++level) {
      if (is_left_over(level)) return;
      parts_.push_back(is_left(level) ? part(level).lower() : part(level).upper());
    }
  }

  int number(int level) const { return ranks_ >> level; }
  int own(int level) const { return rank_ >> level; }
  bool is_left(int level) const { return own(level) % 2 == 0; }
  bool is_left_over(int level) const { return leaves_one_over(level) && own(level) == number(level) - 1; }
  bool leaves_one_over(int level) const { return number(level) > 1 && number(level) % 2 == 1; }
  // True if there are ranks before the own unit.
  bool has_prefix(int level) const { return own(level) > 0; }
  // True if there are ranks after the own unit.
  bool is_followed(int level) const { return (own(level) + 1) << level < ranks_; }
  Rank partner(int level) const { return rank_ ^ (1 << level); }
  // The rank with the same part in another unit.
  Rank peer(int level, int unit) const { return (unit << level) | (rank_ & ((1 << level) - 1)); }
  // The level at which this rank goes no further.
  int top() const { return static_cast<int>(parts_.size()) - 1; }
  const Part& part(int level) const { return parts_[static_cast<std::size_t>(level)]; }
  // True if a unit that is left over, of a lower level, gets the sum of all ranks up to the own unit from this rank.
  bool serves_left_over(int level) const {
    if (level == 0 || own(level) + 1 < number(level)) return false;
    return leaves_one_over(level - 1) || (!is_left(level - 1) && serves_left_over(level - 1));
  }
  // True if this rank has a use for the sum of its unit of a level, on its part.
  bool uses_sum(int level) const { return is_followed(level) && (becomes_left(level) || serves_left_over(top())); }
  // At a rank of the right unit of a level, the same of its partner for their unit of the next level.
  bool partner_uses_sum(int level) const {
    if (!is_followed(level + 1)) return false;
    for (int each = level; each < top(); ++each) {
      if (leaves_one_over(each)) return true;
    }
    return becomes_left(level + 1);
  }

 private:
  // True if the unit of this level, or one that it becomes a part of, is a left one.
  bool becomes_left(int level) const {
    for (; level < top(); ++level) {
      if (is_left(level)) return true;
    }
    return false;
  }

  int ranks_;
  Rank rank_;
  std::vector<Part> parts_;  // by level
};

// Elements of scratch for any rank.
std::int64_t most_scratch(const Request& request) {
  const Part whole{0, request.count};
  std::int64_t most = whole.lower().count * (request.operation == Operation::scan ? 2 : 1);
  Part part = whole;
  for (int units = request.ranks; units > 1; units /= 2) {
    part = part.lower();
    most += part.count;
  }
  return std::max(most, request.count);
}

// Writes the steps of one rank.
class Halving {
 public:
  Halving(const Request& request, Rank rank, ScheduleWriter& writer)
      : inclusive_(request.operation == Operation::scan),
        own_(request.in_place || inclusive_ ? Buffer::output : Buffer::input),
        units_(request.ranks, rank, request.count),
        sums_(static_cast<std::size_t>(units_.top()) + 1),
        lefts_(sums_),
        writer_(writer) {
    const Part& whole = units_.part(0);
    if (inclusive_ && !request.in_place) writer_.copy({at(Buffer::input, whole)}, {at(Buffer::output, whole)});
    const int first = std::min(units_.top(), 1);
    prefixed_ = units_.part(first);
    if (inclusive_ && units_.has_prefix(first)) prefixes_ = writer_.scratch(prefixed_.count);
    if (units_.top() > 0) room_ = writer_.scratch(whole.lower().count);
  }

  void write() {
    for (int level = 0; level < units_.top(); ++level) up(level);
    const int top = units_.top();
    if (units_.is_left_over(top)) {
      const int unit = units_.own(top);
      receive(units_.peer(top, unit - 2), prefix(units_.part(top).lower()));
      receive(units_.peer(top, unit - 1), prefix(units_.part(top).upper()));
      if (top == 0 && inclusive_) writer_.reduce({prefix(units_.part(0))}, {own(units_.part(0))});
    }
    if (units_.serves_left_over(top)) add_prefix(top, units_.part(top));
    for (int level = top; level-- > 0;) down(level);
  }

 private:
  static BufferRange at(Buffer buffer, const Part& part) { return {buffer, part.offset, part.count}; }
  BufferRange own(const Part& part) const { return at(own_, part); }
  BufferRange room(const Part& part) const { return {Buffer::scratch, room_, part.count}; }
  // The place of the sum of all ranks before a unit, on elements of the rank's part.
  BufferRange prefix(const Part& part) const {
    if (!inclusive_) return at(Buffer::output, part);
    return {Buffer::scratch, prefixes_ + part.offset - prefixed_.offset, part.count};
  }
  // The sum of the own unit of a level.
  BufferRange sum(int level, const Part& part) const {
    if (level == 0) return own(part);
    const std::int64_t from = sums_[static_cast<std::size_t>(level)];
    return {Buffer::scratch, from + part.offset - units_.part(level).offset, part.count};
  }
  // At a rank of the right unit, the sum of the left one.
  BufferRange left(int level) const {
    return {Buffer::scratch, lefts_[static_cast<std::size_t>(level)], units_.part(level + 1).count};
  }
  // What a rank could send at once would keep its port from what others wait for, so it follows the message before.
  void send(Rank to, const BufferRange& range) {
    const StepId sent = writer_.send(to, {range}, {.after = before_});
    if (sent != no_step) before_ = {sent};
  }
  void receive(Rank from, const BufferRange& range) { writer_.receive(from, {range}); }

  // Makes the sum of all ranks up to the own unit of the unit's sum.
  void add_prefix(int level, const Part& part) {
    if (units_.has_prefix(level)) writer_.reduce({prefix(part)}, {sum(level, part)});
  }

  // The partners exchange sums of their units, each on the half on which the other goes on.
  void up(int level) {
    const Part lower = units_.part(level).lower();
    const Part upper = units_.part(level).upper();
    const Part& mine = units_.part(level + 1);
    const bool uses_sum = units_.uses_sum(level + 1);
    const Rank partner = units_.partner(level);
    std::int64_t& sums = sums_[static_cast<std::size_t>(level) + 1];
    const std::int64_t arrives = writer_.scratch(mine.count);
    const BufferRange arrived{Buffer::scratch, arrives, mine.count};
    if (units_.is_left(level)) {
      send(partner, sum(level, upper));
      if (uses_sum) {
        receive(partner, arrived);
        writer_.reduce({sum(level, lower)}, {arrived});
      }
      sums = arrives;
      if (level == 0 && !inclusive_ && units_.has_prefix(1)) writer_.copy({own(lower)}, {room(lower)});
      return;
    }
    if (units_.partner_uses_sum(level)) send(partner, sum(level, lower));
    lefts_[static_cast<std::size_t>(level)] = arrives;
    receive(partner, arrived);
    if (uses_sum && level == 0) writer_.copy({own(upper)}, {room(upper)});
    sums = level == 0 ? room_ : sum(level, mine).offset;
    if (uses_sum) writer_.reduce({arrived}, {sum(level + 1, mine)});
  }

  // The prefix of the unit of two becomes those of both, each rank's on all of its part.
  void down(int level) {
    if (units_.is_left(level)) {
      down_left(level);
    } else {
      down_right(level);
    }
    if (units_.serves_left_over(level)) add_prefix(level, units_.part(level).lower());
  }

  void down_left(int level) {
    const Part& lower = units_.part(level + 1);
    const Part upper = units_.part(level).upper();
    const Rank partner = units_.partner(level);
    const bool has_prefix = units_.has_prefix(level + 1);
    const bool in_room = level == 0 && !inclusive_ && has_prefix;
    const BufferRange up_to_left = in_room ? room(lower) : sum(level, lower);
    if (has_prefix) writer_.reduce({prefix(lower)}, {up_to_left});
    send(partner, up_to_left);
    serve_left_over(level);
    if (!has_prefix) return;
    if (level > 0 || !inclusive_) {
      receive(partner, prefix(upper));
    } else {
      receive(partner, room(upper));
      writer_.reduce({room(upper)}, {own(upper)});
    }
  }

  void down_right(int level) {
    const Part lower = units_.part(level).lower();
    const Part& upper = units_.part(level + 1);
    const Rank partner = units_.partner(level);
    serve_left_over(level);  // first, while the left one serves its partner
    if (units_.has_prefix(level + 1)) {
      send(partner, prefix(upper));
      writer_.reduce({prefix(upper)}, {left(level)});
    }
    if (level > 0 || !inclusive_) {
      writer_.copy({left(level)}, {prefix(upper)});
      receive(partner, prefix(lower));
    } else {
      writer_.reduce({left(level)}, {own(upper)});
      receive(partner, room(lower));
      writer_.reduce({room(lower)}, {own(lower)});
    }
  }

  // Sends the sum of all ranks up to the own unit to a unit after it that is left over.
  void serve_left_over(int level) {
    if (!units_.serves_left_over(level + 1) || !units_.leaves_one_over(level)) return;
    send(units_.peer(level, units_.number(level) - 1), sum(level + 1, units_.part(level + 1)));
  }

  bool inclusive_;
  Buffer own_;  // with the own vector
  Units units_;
  // Offsets in scratch, by level:
  std::vector<std::int64_t> sums_;
  std::vector<std::int64_t> lefts_;
  Part prefixed_;              // the part of which prefixes are in scratch
  std::int64_t prefixes_ = 0;  // their offset
  std::int64_t room_ = 0;      // the offset of room for half of the vector
  std::vector<StepId> before_;
  ScheduleWriter& writer_;
};

void write(const Request& request, const Parameters& parameters, Rank rank, ScheduleWriter& writer) {
  if (most_scratch(request) > combining_scratch_limit(request.count, request.element_bytes)) {
    write_scan_along_chain(request, parameters, rank, writer);
    return;
  }
  Halving(request, rank, writer).write();
}

// A rank that serves a unit left over sends once more.
std::vector<RegularRounds> rounds(const Request& request, const Parameters& /*parameters*/) {
  std::vector<RegularRounds> all;
  if (request.count == 0) return all;
  Part part{0, request.count};
  for (int units = request.ranks; units > 1; units /= 2) {
    part = part.lower();
    all.push_back({.number = units % 2 == 1 ? 3 : 2, .sent = part.count, .combined = 2 * part.count});
  }
  return all;
}

consteval Algorithm by_halving(Operation operation) {
  return {
      .name = "recursive_halving",
      .operation = operation,
      .summary = "pairs exchange sums of half of the vector, then pairs of pairs of a quarter, and back; large vectors",
      .write = write,
      .regular = rounds,
  };
}

}  // namespace

const Algorithm scan_recursive_halving = by_halving(Operation::scan);
const Algorithm exscan_recursive_halving = by_halving(Operation::exscan);

}  // namespace tombolo
