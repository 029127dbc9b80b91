#include <algorithm>
#include <cstring>
#include <span>

#include <tombolo/framework/arrays/spending_move.hpp>
#include <tombolo/framework/matrix/streaming.hpp>
#include <tombolo/framework/matrix/strided_copy.hpp>

namespace tombolo {
namespace {

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

/// Fills side-by-side blocks line by line, so that shared cache lines are written once.
void put_group(std::span<const PutBlock> blocks, Bytes element, const std::byte* received, const std::byte* aside,
               std::byte* array, Writing how) {
  const auto put = [&](const PutBlock& block, const Strided& from, const Strided& to) {
    if (block.aside) {
      move_down(element, aside, from, array, to, how);
    } else {
      copy_strided(element, received, from, array, to, how);
    }
  };
  if (blocks.size() == 1) return put(blocks.front(), blocks.front().from, blocks.front().to);
  for (std::int64_t line = 0; line < blocks.front().to.lines; ++line) {
    for (const PutBlock& block : blocks) put(block, line_of(block.from, line), line_of(block.to, line));
  }
}

}  // namespace

SpendingMove::SpendingMove(const Redistribution& moves, Rank rank)
    : of_to_(moves.to().elements(rank)), in_one_buffer_(moves.operation() == Operation::bcast) {
  const std::int64_t of_from = moves.from().elements(rank);
  room_ = std::max(of_from, of_to_);
  if (!moves.operation() || in_one_buffer_) {
    view_ = moves.is_view(rank);
    packs_ = !view_ && (!moves.operation() || moves.packs(rank));
    own_is_all_ = packs_;
    packed_elements_ = of_to_;
    if (packs_) aside_ = kept_blocks(moves.ends(), rank);
    return;
  }
  const std::int64_t kept = moves.keeps(rank);
  packs_ = kept > 0 || moves.packs(rank);
  packed_elements_ = of_from;
  own_is_all_ = kept > 0 && kept == of_to_;
  unpacks_ = !own_is_all_ && moves.unpacks(rank);
  packed_at_ = own_is_all_ ? kept : 0;
  aside_at_ = own_is_all_ ? 0 : room_ - kept;
  if (packs_) packed_ = packed_blocks(moves.ends(), rank, kept > 0);
  if (kept > 0) aside_ = blocks_set_aside(moves.ends(), rank);
  if (unpacks_) put_ = put_blocks(moves.ends(), rank, kept > 0);
}

bool SpendingMove::ends_in_source() const {
  if (view_) return true;
  if (in_one_buffer_ || own_is_all_) return false;
  return unpacks_ != packs_;
}

void SpendingMove::pack(Bytes element, const std::byte* from, std::byte* to) const {
  const Writing how = writing_of(packed() * element);
  const auto put = [&](bool turned, const Strided& source, std::byte* at, const Strided& place) {
    if (turned) {
      turn_strided(element, from, source, at, place);
    } else {
      copy_strided(element, from, source, at, place, how);
    }
  };
  for (const MovedBlock& block : packed_) put(block.turned, block.memory, to + packed_at_ * element, block.in_buffer());
  for (const KeptBlock& block : aside_) put(block.turned, block.from, to + aside_at_ * element, block.to);
  end_streaming();
}

const std::byte* SpendingMove::sent(Bytes element, const std::byte* from, const std::byte* to) const {
  return packs_ || in_one_buffer_ ? to + packed_at_ * element : from;
}

std::byte* SpendingMove::received(std::byte* from, std::byte* to) const {
  return packs_ && !in_one_buffer_ ? from : to;
}

void SpendingMove::unpack(Bytes element, std::byte* from, std::byte* to) const {
  if (!unpacks_) return;
  const Writing how = writing_of(of_to_ * element);
  std::byte* const array = packs_ ? to : from;
  const std::byte* const got = packs_ ? from : to;
  for (auto begin = put_.begin(); begin != put_.end();) {
    const auto end = std::find_if(begin, put_.end(), [&](const PutBlock& b) { return b.group != begin->group; });
    put_group({begin, end}, element, got, to + aside_at_ * element, array, how);
    begin = end;
  }
  end_streaming();
}

}  // namespace tombolo
