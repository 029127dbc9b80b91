#include <algorithm>
#include <cstddef>
#include <tuple>

#include <tombolo/framework/arrays/moved_blocks.hpp>

namespace tombolo {
namespace {

/// Positions of a rank's blocks in its memory.
class RankMemory {
 public:
  RankMemory(const Distribution& distribution, Rank rank)
      : distribution_(distribution), numbers_(distribution.blocks_of(rank)) {
    std::int64_t at = 0;
    for (const int number : numbers_) {
      begins_.push_back(at);
      at += distribution.block(number).elements();
    }
  }

  Strided place(int number, const Part& part) const {
    const auto i = std::lower_bound(numbers_.begin(), numbers_.end(), number) - numbers_.begin();
    const Part block = in_memory(distribution_.block(number));
    const Part mine = in_memory(part);
    return {begins_[static_cast<std::size_t>(i)] + (mine.first_row - block.first_row) * block.columns +
                mine.first_column - block.first_column,
            mine.rows, mine.columns, block.columns};
  }

 private:
  Part in_memory(const Part& part) const { return distribution_.by_columns() ? part.transposed() : part; }

  const Distribution& distribution_;
  std::span<const int> numbers_;
  std::vector<std::int64_t> begins_;
};

void sort(std::vector<Overlap>& overlaps) {
  const auto by_message = [](const Overlap& one, const Overlap& other) {
    return std::tie(one.peer, one.to, one.from) < std::tie(other.peer, other.to, other.from);
  };
  if (!std::is_sorted(overlaps.begin(), overlaps.end(), by_message)) {
    std::sort(overlaps.begin(), overlaps.end(), by_message);
  }
}

/// Joins a block to its predecessor in the buffer if both form one rectangle in the array.
bool joins(MovedBlock& before, const MovedBlock& next) {
  Strided& a = before.memory;
  const Strided& b = next.memory;
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

/// Returns the blocks of overlaps that are contiguous in the buffer; place(overlap) is the position in the array.
template <class Place>
std::vector<MovedBlock> moved(const std::vector<Overlap>& overlaps, bool turns, const Place& place) {
  std::vector<MovedBlock> blocks;
  std::int64_t at = 0;
  for (const Overlap& overlap : overlaps) {
    MovedBlock block{place(overlap), at, false, 0};
    // A single line, or lines of single elements, need no transposition.
    block.turned = turns && block.memory.lines > 1 && block.memory.stride > 1;
    at += block.memory.elements();
    if (blocks.empty() || !joins(blocks.back(), block)) blocks.push_back(block);
  }
  return blocks;
}

/// Numbers the groups of blocks in the order of the array: blocks of a group have the same lines and begin within the
/// first line of the first block.
template <class Block, class Place>
void number_groups(std::vector<Block>& blocks, const Place& place) {
  const Block* first = nullptr;
  int group = -1;
  for (Block& block : blocks) {
    const Strided& here = place(block);
    const bool same = first != nullptr && here.lines == place(*first).lines && here.stride == place(*first).stride &&
                      here.offset - place(*first).offset < here.stride && !here.in_one_piece();
    if (!same) {
      first = &block;
      ++group;
    }
    block.group = group;
  }
}

/// A received overlap and its position in the target array.
struct Got {
  Overlap overlap;
  Strided to;
  std::int64_t at = 0;  // offset in the receive buffer
  int group = 0;
};
std::vector<Got> got_in_order(const Move& move, Rank rank, bool own_aside) {
  const RankMemory memory(move.to, rank);
  std::vector<Got> all;
  std::int64_t at = 0;
  for (const Overlap& of : received_overlaps(move, rank)) {
    all.push_back({of, memory.place(of.to, move.transposed ? of.part.transposed() : of.part), at});
    if (!own_aside || of.peer != rank) at += of.part.elements();
  }
  std::sort(all.begin(), all.end(), [](const Got& a, const Got& b) { return a.to.offset < b.to.offset; });
  number_groups(all, [](const Got& got) -> const Strided& { return got.to; });
  return all;
}

void remove_own(std::vector<Overlap>& overlaps, Rank rank) {
  std::erase_if(overlaps, [rank](const Overlap& overlap) { return overlap.peer == rank; });
}

}  // namespace

bool Move::turns() const {
  const auto [rows, columns] = from.shape();
  return from.by_columns() != (to.by_columns() != transposed) && rows > 1 && columns > 1;
}

std::vector<Overlap> sent_overlaps(const Move& move, Rank rank) {
  std::vector<Overlap> found;
  for (const int from : move.from.blocks_of(rank)) {
    const Part mine = move.from.block(from);
    for (const int to : move.to.blocks_in(move.transposed ? mine.transposed() : mine)) {
      found.push_back({move.to.owner(to, rank), from, to, overlap(mine, move.target(to))});
    }
  }
  if (move.from.replicated()) {
    std::erase_if(found, [&](const Overlap& overlap) { return overlap.peer != rank; });
  }
  sort(found);
  return found;
}

std::vector<Overlap> received_overlaps(const Move& move, Rank rank) {
  std::vector<Overlap> found;
  for (const int to : move.to.blocks_of(rank)) {
    const Part mine = move.target(to);
    for (const int from : move.from.blocks_in(mine)) {
      found.push_back({move.from.owner(from, rank), from, to, overlap(move.from.block(from), mine)});
    }
  }
  sort(found);
  return found;
}

std::vector<MovedBlock> packed_blocks(const Move& move, Rank rank, bool without_own) {
  std::vector<Overlap> overlaps = sent_overlaps(move, rank);
  if (without_own) remove_own(overlaps, rank);
  const RankMemory memory(move.from, rank);
  return moved(overlaps, move.turns(), [&](const Overlap& of) { return memory.place(of.from, of.part); });
}

std::vector<MovedBlock> unpacked_blocks(const Move& move, Rank rank, bool without_own) {
  std::vector<Overlap> overlaps = received_overlaps(move, rank);
  if (without_own) remove_own(overlaps, rank);
  const RankMemory memory(move.to, rank);
  std::vector<MovedBlock> blocks = moved(overlaps, false, [&](const Overlap& of) {
    return memory.place(of.to, move.transposed ? of.part.transposed() : of.part);
  });
  std::sort(blocks.begin(), blocks.end(),
            [](const MovedBlock& a, const MovedBlock& b) { return a.memory.offset < b.memory.offset; });
  number_groups(blocks, [](const MovedBlock& block) -> const Strided& { return block.memory; });
  return blocks;
}

std::vector<KeptBlock> kept_blocks(const Move& move, Rank rank) {
  const RankMemory memory_from(move.from, rank);
  const RankMemory memory_to(move.to, rank);
  std::vector<KeptBlock> kept;
  for (const Overlap& of : received_overlaps(move, rank)) {
    if (of.peer != rank) continue;
    kept.push_back({memory_from.place(of.from, of.part),
                    memory_to.place(of.to, move.transposed ? of.part.transposed() : of.part), move.turns()});
  }
  return kept;
}

std::vector<KeptBlock> blocks_set_aside(const Move& move, Rank rank) {
  const RankMemory memory_from(move.from, rank);
  std::vector<KeptBlock> kept;
  std::int64_t at = 0;  // start of the group
  int group = -1;
  std::size_t first = 0;  // first block of the group
  const auto end_group = [&] {
    std::int64_t width = 0;
    for (std::size_t i = first; i < kept.size(); ++i) width += kept[i].to.width;
    for (std::int64_t before = at; first < kept.size(); ++first) {
      Strided& to = kept[first].to;
      at += to.elements();
      to = {before, to.lines, to.width, width};
      before += to.width;
    }
  };
  for (const Got& got : got_in_order(move, rank, true)) {
    if (got.overlap.peer != rank) continue;
    if (got.group != group) end_group();
    group = got.group;
    kept.push_back({memory_from.place(got.overlap.from, got.overlap.part), got.to, move.turns()});
  }
  end_group();
  return kept;
}

std::vector<PutBlock> put_blocks(const Move& move, Rank rank, bool own_aside) {
  const std::vector<KeptBlock> aside = own_aside ? blocks_set_aside(move, rank) : std::vector<KeptBlock>{};
  auto next = aside.begin();
  std::vector<PutBlock> blocks;
  for (const Got& got : got_in_order(move, rank, own_aside)) {
    const bool own = own_aside && got.overlap.peer == rank;
    const Strided received{got.at, got.to.lines, got.to.width, got.to.width};
    blocks.push_back({got.to, own ? next->to : received, own, got.group});
    if (own) ++next;
  }
  return blocks;
}

}  // namespace tombolo
