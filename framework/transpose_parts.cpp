#include <algorithm>
#include <complex>
#include <cstddef>
#include <cstring>
#include <tuple>

#include <tombolo/framework/streaming.hpp>
#include <tombolo/framework/transpose.hpp>
#include <tombolo/framework/transpose_parts.hpp>

namespace tombolo {
namespace {

/// A rectangle of A in the memory of a layout of A, and in that of one of B.
Part in_memory_of_a(const Layout& a, const Part& block) {
  return a.by_columns() ? block.transposed() : block;
}

Part in_memory_of_b(const Layout& b, const Part& block) {
  return b.by_columns() ? block : block.transposed();
}

bool same_rows(const Part& one, const Part& other) {
  return one.first_row == other.first_row && one.rows == other.rows;
}

bool same_columns(const Part& one, const Part& other) {
  return one.first_column == other.first_column && one.columns == other.columns;
}

/// Adds a block to the one before if the two, packed, are what the rectangle of both is, packed.
bool joins(Part& before, const Part& block, bool turned) {
  if (turned && same_rows(before, block) && before.first_column + before.columns == block.first_column) {
    before.columns += block.columns;
    return true;
  }
  if (!turned && same_columns(before, block) && before.first_row + before.rows == block.first_row) {
    before.rows += block.rows;
    return true;
  }
  return false;
}

enum class Copied { cached, streamed };

template <class T>
Copied copied(std::int64_t elements) {
  return elements * static_cast<Bytes>(sizeof(T)) >= streamed_from ? Copied::streamed : Copied::cached;
}

template <class T>
void copy(const T* from, std::int64_t elements, T* to, Copied how) {
  const std::int64_t bytes = elements * static_cast<Bytes>(sizeof(T));
  if (how == Copied::streamed) {
    stream_bytes(reinterpret_cast<std::byte*>(to), reinterpret_cast<const std::byte*>(from), bytes);
  } else {
    std::copy_n(from, elements, to);
  }
}

/// The same to where it may overlap.
template <class T>
void move_down(const T* from, std::int64_t elements, T* to, Copied how) {
  if (to + elements <= from) {
    copy(from, elements, to, how);
  } else if (to != from) {
    std::memmove(static_cast<void*>(to), from, static_cast<std::size_t>(elements) * sizeof(T));
  }
}

/// Rows of a rectangle, `stride` elements from one to the next, into one piece.
template <class T>
void copy_rows(const Part& in, const T* from, std::int64_t stride, T* to, Copied how) {
  if (in.columns == stride) {
    copy(from, in.elements(), to, how);
    return;
  }
  for (std::int64_t row = 0; row < in.rows; ++row) copy(from + row * stride, in.columns, to + row * in.columns, how);
}

}  // namespace

TransposeParts::TransposeParts(const TransposeExchange& exchange, Rank rank)
    : turns_(exchange.turns()),
      of_a_(exchange.part_of_a(rank).elements()),
      of_b_(exchange.part_of_b(rank).elements()),
      kept_(exchange.keeps_own() ? exchange.block(rank, rank).elements() : 0),
      a_(in_memory_of_a(exchange.a(), exchange.part_of_a(rank))),
      b_(in_memory_of_b(exchange.b(), exchange.part_of_b(rank))) {
  find_packed(exchange, rank);
  find_unpacked(exchange, rank);
}

void TransposeParts::find_packed(const TransposeExchange& exchange, Rank rank) {
  std::int64_t at = 0;
  for (Rank to = 0; to < exchange.ranks(); ++to) {
    const Part block = in_memory_of_a(exchange.a(), exchange.block(rank, to));
    if (block.elements() == 0) continue;
    const bool is_own = to == rank && exchange.keeps_own();
    const bool may_join = !packed_.empty() && !is_own && !packed_.back().is_own;
    if (!may_join || !joins(packed_.back().in_memory, block, turns_))
      packed_.push_back({block, is_own ? 0 : at, is_own});
    if (!is_own) at += block.elements();
  }
  // One row or column is in order either way.
  const bool in_order = !turns_ || a_.rows == 1 || a_.columns == 1;
  const bool one_way = packed_.empty() || !packed_.front().is_own || kept_ == of_b_;
  packs_ = packed_.size() > 1 || (of_a_ > 0 && !(in_order && one_way));
}

// Layouts are grids, so what comes from a rank has the rows, and what from another one the columns, of other blocks
// too: sorted, blocks of the same rows follow one another, and together are as wide as B's part.
void TransposeParts::find_unpacked(const TransposeExchange& exchange, Rank rank) {
  std::int64_t at = 0;
  for (Rank from = 0; from < exchange.ranks(); ++from) {
    const Part block = in_memory_of_b(exchange.b(), exchange.block(from, rank));
    if (block.elements() == 0) continue;
    const bool is_own = from == rank && exchange.keeps_own();
    unpacked_.push_back({block, is_own ? 0 : at, is_own});
    if (!is_own) at += block.elements();
  }
  std::sort(unpacked_.begin(), unpacked_.end(), [](const Block& one, const Block& other) {
    return std::tie(one.in_memory.first_row, one.in_memory.first_column) <
           std::tie(other.in_memory.first_row, other.in_memory.first_column);
  });
  const bool all_kept = kept_ == of_b_;
  unpacks_ = !all_kept && std::any_of(unpacked_.begin(), unpacked_.end(), [&](const Block& block) {
    const Part& in = block.in_memory;
    return block.is_own || in.columns < b_.columns || block.at != (in.first_row - b_.first_row) * b_.columns;
  });
}

template <Element T>
void TransposeParts::pack(const T* a, T* send, T* own) const {
  for (const Block& block : packed_) {
    const Part& in = block.in_memory;
    const T* const from = a + (in.first_row - a_.first_row) * a_.columns + in.first_column - a_.first_column;
    T* const to = block.is_own ? own : send + block.at;
    if (turns_) {
      transpose(in.rows, in.columns, from, a_.columns, to, in.rows);
    } else {
      copy_rows(in, from, a_.columns, to, copied<T>(of_a_));
    }
  }
  end_streaming();
}

// Row by row, so that the lines of B where two blocks meet are written once.
template <Element T>
void TransposeParts::unpack(const T* received, const T* own, T* b) const {
  for (auto begin = unpacked_.begin(); begin != unpacked_.end();) {
    const Part& first = begin->in_memory;
    const auto is_below = [&](const Block& block) { return block.in_memory.first_row != first.first_row; };
    const auto end = std::find_if(begin, unpacked_.end(), is_below);
    const auto kept = std::find_if(begin, end, [](const Block& block) { return block.is_own; });
    T* to = b + (first.first_row - b_.first_row) * b_.columns;
    for (std::int64_t row = 0; row < first.rows; ++row, to += b_.columns) {
      // Its own block first: the others may be written where this row of it stands, and never where the next one does.
      if (kept != end) {
        const auto [first_row, rows, first_column, columns] = kept->in_memory;
        move_down(own + row * columns, columns, to + first_column - b_.first_column, copied<T>(of_b_));
      }
      for (auto block = begin; block != end; ++block) {
        const auto [first_row, rows, first_column, columns] = block->in_memory;
        if (block == kept) continue;
        copy(received + block->at + row * columns, columns, to + first_column - b_.first_column, copied<T>(of_b_));
      }
    }
    begin = end;
  }
  end_streaming();
}

#define TOMBOLO_FOR(T)                                        \
  template void TransposeParts::pack(const T*, T*, T*) const; \
  template void TransposeParts::unpack(const T*, const T*, T*) const;
TOMBOLO_FOR(float)
TOMBOLO_FOR(double)
TOMBOLO_FOR(std::complex<float>)
TOMBOLO_FOR(std::complex<double>)
#undef TOMBOLO_FOR

}  // namespace tombolo
