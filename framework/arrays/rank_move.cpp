#include <algorithm>
#include <cstring>
#include <map>
#include <span>
#include <utility>

#include <tombolo/framework/arrays/rank_move.hpp>
#include <tombolo/framework/matrix/strided_copy.hpp>

namespace tombolo {
namespace {

/// Positions of a rank's blocks in its memory.
class RankMemory {
 public:
  RankMemory(const Distribution& distribution, Rank rank, std::int64_t stride)
      : distribution_(distribution), numbers_(distribution.blocks_of(rank)), stride_(stride) {
    stride == 0 ? one_after_the_other() : as_one_matrix();
  }

  Strided place(int number, const Part& part) const {
    const auto i = std::lower_bound(numbers_.begin(), numbers_.end(), number) - numbers_.begin();
    const Part block = in_memory(distribution_.block(number));
    const Part mine = in_memory(part);
    const std::int64_t stride = stride_ == 0 ? block.columns : stride_;
    return {begins_[static_cast<std::size_t>(i)] + (mine.first_row - block.first_row) * stride + mine.first_column -
                block.first_column,
            mine.rows, mine.columns, stride};
  }

 private:
  Part in_memory(const Part& part) const { return distribution_.by_columns() ? part.transposed() : part; }

  void one_after_the_other() {
    std::int64_t at = 0;
    for (const int number : numbers_) {
      begins_.push_back(at);
      at += distribution_.block(number).elements();
    }
  }

  void as_one_matrix() {
    std::map<std::int64_t, std::int64_t> lines;  // sizes by beginnings, then the places in memory
    std::map<std::int64_t, std::int64_t> columns;
    for (const int number : numbers_) {
      const Part block = in_memory(distribution_.block(number));
      lines[block.first_row] = block.rows;
      columns[block.first_column] = block.columns;
    }
    for (auto* side : {&lines, &columns}) {
      std::int64_t at = 0;
      for (auto& [first, size] : *side) at += std::exchange(size, at);
    }
    for (const int number : numbers_) {
      const Part block = in_memory(distribution_.block(number));
      begins_.push_back(lines[block.first_row] * stride_ + columns[block.first_column]);
    }
  }

  const Distribution& distribution_;
  std::span<const int> numbers_;
  std::int64_t stride_;
  std::vector<std::int64_t> begins_;
};

/// Joins a block to its predecessor in the buffer if both form one rectangle in the array.
bool joins(BlockCopy& before, const BlockCopy& next) {
  Strided& a = before.from;
  const Strided& b = next.from;
  if (before.turned != next.turned) return false;
  const bool beside = a.lines == b.lines && a.stride == b.stride && a.offset + a.width == b.offset;
  if (before.turned) {
    if (beside) a.width += b.width;
    return beside;
  }
  if (a.width == b.width && a.stride == b.stride && a.offset + a.lines * a.stride == b.offset) {
    a.lines += b.lines;
    return true;
  }
  const bool behind = a.in_one_piece() && b.in_one_piece() && a.offset + a.elements() == b.offset;
  if (behind) a = {a.offset, 1, a.elements() + b.elements(), a.elements() + b.elements()};
  return behind;
}

/// Returns what is sent, from the source array to the send buffer, in the order of the buffer.
std::vector<BlockCopy> packed_blocks(const Redistribution& moves, Rank rank, std::int64_t stride) {
  const RankMemory memory(moves.from(), rank, stride);
  std::vector<BlockCopy> blocks;
  std::int64_t at = 0;
  for (const Overlap& overlap : moves.sent_overlaps(rank)) {
    if (moves.own_stays() && overlap.peer == rank) continue;
    BlockCopy block{.from = memory.place(overlap.from, overlap.part), .to = {.offset = at}};
    // A single line, or lines of single elements, need no transposition.
    block.turned = moves.turns() && block.from.lines > 1 && block.from.stride > 1;
    at += block.from.elements();
    if (blocks.empty() || !joins(blocks.back(), block)) blocks.push_back(block);
  }
  for (auto& [from, to, turned, own, group] : blocks) {
    const auto [lines, width] = turned ? std::pair(from.width, from.lines) : std::pair(from.lines, from.width);
    to = {to.offset, lines, width, width};
  }
  return blocks;
}

/// Numbers the groups of blocks in the order of the array: blocks of a group have the same lines and begin within the
/// first line of the first block.
void number_groups(std::vector<BlockCopy>& blocks) {
  const Strided* first = nullptr;
  int group = -1;
  for (BlockCopy& block : blocks) {
    const Strided& here = block.to;
    const bool same = first != nullptr && here.lines == first->lines && here.stride == first->stride &&
                      here.offset - first->offset < here.stride && !here.in_one_piece();
    if (!same) {
      first = &here;
      ++group;
    }
    block.group = group;
  }
}

/// Returns the blocks of the target array in the order of its memory: what stays, from the source array, and what
/// arrives, from the receive buffer.
std::vector<BlockCopy> target_blocks(const Redistribution& moves, Rank rank, const LineStrides& strides) {
  const RankMemory source(moves.from(), rank, strides.from);
  const RankMemory target(moves.to(), rank, strides.to);
  std::vector<BlockCopy> blocks;
  std::int64_t at = 0;
  for (const Overlap& of : moves.received_overlaps(rank)) {
    BlockCopy block;
    block.to = target.place(of.to, moves.transposed() ? of.part.transposed() : of.part);
    block.own = of.peer == rank && (moves.own_stays() || moves.operation() == Operation::bcast);
    if (block.own) {
      block.from = source.place(of.from, of.part);
      // Rows become columns of single elements too: these are in one piece unless lines are apart.
      const bool in_pieces = !block.from.in_one_piece() || !block.to.in_one_piece();
      block.turned = moves.turns() || (in_pieces && block.from.lines != block.to.lines);
    } else {
      block.from = {at, block.to.lines, block.to.width, block.to.width};
      at += block.to.elements();
    }
    blocks.push_back(block);
  }
  std::sort(blocks.begin(), blocks.end(),
            [](const BlockCopy& a, const BlockCopy& b) { return a.to.offset < b.to.offset; });
  number_groups(blocks);
  return blocks;
}

/// Returns true if the buffer and the array have the same contents from the start on; array(block) is the place there.
bool in_order(const std::vector<BlockCopy>& blocks, Strided BlockCopy::*array) {
  return std::all_of(blocks.begin(), blocks.end(), [array](const BlockCopy& block) {
    return !block.turned && (block.*array).in_one_piece() && block.from.offset == block.to.offset;
  });
}

/// Returns true if a block of the target array is the same elements of the source array.
bool is_there(const BlockCopy& block) {
  const bool same = block.from.in_one_piece() && block.to.in_one_piece() && block.from.offset == block.to.offset;
  const bool order = !block.turned || block.from.lines == 1 || block.from.width == 1;
  return order && (same || (!block.turned && block.from == block.to));
}

void copy_block(const BlockCopy& block, Bytes element, const std::byte* in, std::byte* out, Writing how) {
  if (block.turned) {
    turn_strided(element, in, block.from, out, block.to);
  } else {
    copy_strided(element, in, block.from, out, block.to, how);
  }
}

/// Copies from a buffer at or after the target: lines never overwrite later ones.
void move_down(Bytes element, const std::byte* in, const Strided& from, std::byte* out, const Strided& to,
               Writing how) {
  in += from.offset * element;
  out += to.offset * element;
  const bool at_once = from.in_one_piece() && to.in_one_piece();
  const std::int64_t lines = at_once ? 1 : to.lines;
  const Bytes width = (at_once ? to.elements() : to.width) * element;
  for (std::int64_t line = 0; line < lines; ++line) {
    const std::byte* const source = in + line * from.stride * element;
    std::byte* const target = out + line * to.stride * element;
    if (target + width > source) {
      if (target != source) std::memmove(target, source, static_cast<std::size_t>(width));
    } else if (how == Writing::streamed) {
      stream_bytes(target, source, width);
    } else {
      std::memcpy(target, source, static_cast<std::size_t>(width));
    }
  }
}

Strided line_of(const Strided& block, std::int64_t line) {
  return {block.offset + line * block.stride, 1, block.width, block.width};
}

/// Fills side-by-side blocks line by line, so that shared cache lines are written once, and data set aside at the end
/// of the array's memory is read before it is overwritten.
void put_group(std::span<const BlockCopy> blocks, Bytes element, const std::byte* received, const std::byte* aside,
               std::byte* array, Writing how) {
  const auto put = [&](const BlockCopy& block, const Strided& from, const Strided& to) {
    if (block.own) {
      move_down(element, aside, from, array, to, how);
    } else {
      copy_strided(element, received, from, array, to, how);
    }
  };
  if (blocks.size() == 1) return put(blocks.front(), blocks.front().from, blocks.front().to);
  for (std::int64_t line = 0; line < blocks.front().to.lines; ++line) {
    for (const BlockCopy& block : blocks) put(block, line_of(block.from, line), line_of(block.to, line));
  }
}

}  // namespace

RankMove::RankMove(const Redistribution& moves, Rank rank, Source source, LineStrides strides)
    : source_(source),
      stays_(!moves.operation()),
      of_to_(moves.to().elements(rank)),
      in_target_(moves.operation() == Operation::bcast) {
  room_ = std::max(moves.from().elements(rank), of_to_);
  put_ = target_blocks(moves, rank, strides);
  std::copy_if(put_.begin(), put_.end(), std::back_inserter(own_), [](const BlockCopy& block) { return block.own; });
  view_ = !moves.operation() && std::all_of(own_.begin(), own_.end(), is_there);
  if (moves.operation() && !in_target_) packed_ = packed_blocks(moves, rank, strides.from);
  source == Source::kept ? plan_kept(moves, rank) : plan_spent(moves, rank);
}

void RankMove::plan_kept(const Redistribution& moves, Rank rank) {
  packs_ = in_target_ ? moves.sends(rank) > 0 : !in_order(packed_, &BlockCopy::from);
  unpacks_ = !in_target_ && (!own_.empty() || !in_order(put_, &BlockCopy::to));
  packed_elements_ = moves.sends(rank);
  packed_room_ = packs_ && !in_target_ ? packed_elements_ : 0;
  arrived_room_ = unpacks_ && moves.operation() ? moves.receives(rank) : 0;
  std::erase_if(put_, [](const BlockCopy& block) { return block.own; });
}

void RankMove::plan_spent(const Redistribution& moves, Rank rank) {
  const std::int64_t of_from = moves.from().elements(rank);
  if (!moves.operation() || in_target_) {
    packs_ = !view_ && (!moves.operation() || moves.sends(rank) > 0);
    own_is_all_ = packs_;
    packed_elements_ = of_to_;
    if (!packs_) own_.clear();
    return;
  }
  const std::int64_t kept = moves.keeps(rank);
  packs_ = kept > 0 || !in_order(packed_, &BlockCopy::from);
  packed_elements_ = of_from;
  own_is_all_ = kept > 0 && kept == of_to_;
  unpacks_ = !own_is_all_ && (kept > 0 || !in_order(put_, &BlockCopy::to));
  packed_at_ = own_is_all_ ? kept : 0;
  aside_at_ = own_is_all_ ? 0 : room_ - kept;
  if (!packs_) packed_.clear();
  set_aside();
}

/// Own blocks get a place in a buffer of their own, contiguous but for groups, in which they stay side by side.
void RankMove::set_aside() {
  std::int64_t at = 0;
  auto own = own_.begin();
  while (own != own_.end()) {
    const auto end = std::find_if(own, own_.end(), [&](const BlockCopy& block) { return block.group != own->group; });
    std::int64_t width = 0;
    for (auto block = own; block != end; ++block) width += block->to.width;
    for (std::int64_t before = at; own != end; ++own) {
      at += own->to.elements();
      own->to = {before, own->to.lines, own->to.width, width};
      before += own->to.width;
    }
  }
  auto aside = own_.begin();
  for (BlockCopy& block : put_) {
    if (block.own) block.from = (aside++)->to;
  }
}

std::optional<Strided> RankMove::part_of_source() const {
  if (!stays_ || own_.empty()) return std::nullopt;
  const auto& [from, to, turned, own, group] = own_.front();
  std::int64_t width = 0;
  const bool is_there = std::all_of(own_.begin(), own_.end(), [&](const BlockCopy& block) {
    const std::int64_t line = block.to.offset / to.stride;
    const std::int64_t column = block.to.offset % to.stride;
    width = std::max(width, column + block.to.width);
    return !block.turned && block.from.lines == block.to.lines && block.from.stride == from.stride &&
           block.to.stride == to.stride && block.from.offset == from.offset + line * from.stride + column;
  });
  if (!is_there) return std::nullopt;
  return Strided{from.offset, of_to_ / width, width, std::max(from.stride, width)};  // one line has any stride
}

bool RankMove::ends_in_source() const {
  if (source_ == Source::kept) return false;
  if (view_) return true;
  if (in_target_ || own_is_all_) return false;
  return unpacks_ != packs_;
}

void RankMove::copy_own(Bytes element, const std::byte* from, std::byte* to, Writing how) const {
  for (const BlockCopy& block : own_) copy_block(block, element, from, to, how);
}

void RankMove::pack(Bytes element, const MoveMemory& memory) const {
  const bool spent = source_ == Source::spent;
  const Writing how = writing_of(packed() * element);
  std::byte* const packed = spent ? memory.to + packed_at_ * element : memory.packed;
  for (const BlockCopy& block : packed_) copy_block(block, element, memory.from, packed, how);
  if (spent || (in_target_ && packs_)) copy_own(element, memory.from, memory.to + aside_at_ * element, how);
  end_streaming();
}

const std::byte* RankMove::sent(Bytes element, const MoveMemory& memory) const {
  if (in_target_) return memory.to;
  if (!packs_) return memory.from;
  return source_ == Source::spent ? memory.to + packed_at_ * element : memory.packed;
}

std::byte* RankMove::received(const MoveMemory& memory) const {
  if (source_ == Source::kept) return arrived_room_ > 0 ? memory.arrived : memory.to;
  return packs_ && !in_target_ ? memory.from : memory.to;
}

void RankMove::unpack(Bytes element, const MoveMemory& memory) const {
  if (!unpacks_) return;
  const bool spent = source_ == Source::spent;
  const Writing how = writing_of(of_to_ * element);
  std::byte* const array = spent && !packs_ ? memory.from : memory.to;
  const std::byte* const got = spent ? (packs_ ? memory.from : memory.to) : memory.arrived;
  if (!spent) copy_own(element, memory.from, array, how);
  for (auto begin = put_.begin(); begin != put_.end();) {
    const auto end = std::find_if(begin, put_.end(), [&](const BlockCopy& b) { return b.group != begin->group; });
    put_group({begin, end}, element, got, memory.to + aside_at_ * element, array, how);
    begin = end;
  }
  end_streaming();
}

}  // namespace tombolo
