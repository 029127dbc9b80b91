#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include <tombolo/framework/arrays/redistribution.hpp>
#include <tombolo/framework/matrix/streaming.hpp>
#include <tombolo/framework/matrix/strided_copy.hpp>
#include <tombolo/platform/error.hpp>

namespace tombolo {
namespace {

std::size_t index(std::int64_t i) {
  return static_cast<std::size_t>(i);
}

/// Returns count(rank) for each rank.
template <class Count>
std::vector<std::int64_t> of_ranks(int ranks, const Count& count) {
  std::vector<std::int64_t> counts(index(ranks));
  for (Rank rank = 0; rank < ranks; ++rank) counts[index(rank)] = count(rank);
  return counts;
}

/// Returns the owner of all elements, if there is only one.
std::optional<Rank> sole_owner(const Distribution& distribution) {
  if (distribution.replicated()) return std::nullopt;
  std::optional<Rank> owner;
  for (int block = 0; block < distribution.blocks(); ++block) {
    if (distribution.block(block).elements() == 0) continue;
    const Rank rank = distribution.owner(block, 0);
    if (owner && *owner != rank) return std::nullopt;
    owner = rank;
  }
  return owner;
}

/// Returns true if the concatenated memories of all ranks are the memory of the whole matrix.
bool in_order_of_ranks(const Distribution& distribution) {
  const auto [rows, columns] = distribution.shape();
  Rank last = 0;
  for (int number = 0; number < distribution.blocks(); ++number) {
    const Part block = distribution.block(number);
    if (block.elements() == 0) continue;
    const bool whole_lines =
        distribution.by_columns() ? block.rows == rows || columns == 1 : block.columns == columns || rows == 1;
    const Rank rank = distribution.owner(number, 0);
    if (!whole_lines || rank < last) return false;
    last = rank;
  }
  return true;
}

/// Returns true if the buffer and the array have the same contents from the start on.
bool is_array(const std::vector<MovedBlock>& blocks) {
  return std::all_of(blocks.begin(), blocks.end(), [](const MovedBlock& block) {
    return !block.turned && block.memory.in_one_piece() && block.memory.offset == block.at;
  });
}

void copy_kept(const std::vector<KeptBlock>& blocks, Bytes element, const std::byte* from, std::byte* to, Writing how) {
  for (const KeptBlock& block : blocks) {
    if (block.turned) {
      turn_strided(element, from, block.from, to, block.to);
    } else {
      copy_strided(element, from, block.from, to, block.to, how);
    }
  }
}

/// Copies side-by-side blocks line by line, so that shared cache lines are written once.
void copy_beside(std::span<const MovedBlock> blocks, Bytes element, const std::byte* received, std::byte* to,
                 Writing how) {
  if (blocks.size() == 1) {
    copy_strided(element, received, blocks.front().in_buffer(), to, blocks.front().memory, how);
    return;
  }
  for (std::int64_t line = 0; line < blocks.front().memory.lines; ++line) {
    for (const MovedBlock& block : blocks) {
      const auto& [offset, lines, width, stride] = block.memory;
      copy_strided(element, received, {block.at + line * width, 1, width, width}, to,
                   {offset + line * stride, 1, width, width}, how);
    }
  }
}

}  // namespace

Redistribution::Redistribution(Distribution from, Distribution to, bool transposed)
    : move_{std::move(from), std::move(to), transposed} {
  const auto [rows, columns] = this->from().shape();
  const MatrixShape needed = transposed ? MatrixShape{columns, rows} : MatrixShape{rows, columns};
  if (this->to().shape() != needed) {
    throw Error(fmt::format("a matrix of {} x {} as {} {} x {}", this->to().shape().rows, this->to().shape().columns,
                            transposed ? "the transpose of one of" : "one of", rows, columns),
                fmt::format("give a distribution of a matrix of {} x {}", needed.rows, needed.columns));
  }
  if (this->to().ranks() != ranks()) {
    throw Error(fmt::format("a matrix on {} ranks to be moved to {}", ranks(), this->to().ranks()),
                "give distributions on the same ranks");
  }
  if (stays()) return;
  const auto source = sole_owner(this->from());
  const auto target = sole_owner(this->to());
  root_ = source ? *source : target ? *target : 0;
  const bool to_all = this->to().replicated();
  operation_ = to_all   ? (source ? Operation::bcast : Operation::allgatherv)
               : source ? Operation::scatterv
               : target ? Operation::gatherv
                        : Operation::alltoallv;
  in_order_ = !to_all && !move_.turns() && in_order_of_ranks(this->from()) && in_order_of_ranks(this->to());
  without_own_ =
      !to_all && !in_order_ && !(operation_ == Operation::alltoallv && ranks() > most_keeping && is_product());
}

bool Redistribution::stays() const {
  if (from().replicated() || ranks() == 1) return true;
  for (int number = 0; number < from().blocks(); ++number) {
    const Part block = from().block(number);
    if (block.elements() == 0) continue;
    if (to().replicated()) return false;
    const Rank owner = from().owner(number, 0);
    for (const int target : to().blocks_in(transposed() ? block.transposed() : block)) {
      if (to().owner(target, 0) != owner) return false;
    }
  }
  return true;
}

// True for whole rows against whole columns.
bool Redistribution::is_product() const {
  const bool turned = transposed();
  const int to_rows = turned ? to().grid_columns() : to().grid_rows();
  const int to_columns = turned ? to().grid_rows() : to().grid_columns();
  return (from().grid_columns() == 1 && to_rows == 1) || (from().grid_rows() == 1 && to_columns == 1);
}

std::vector<std::int64_t> Redistribution::counts_to(Rank rank) const {
  std::vector<std::int64_t> counts(index(ranks()));
  for (const Overlap& overlap : sent_overlaps(move_, rank)) {
    if (overlap.peer != rank || !without_own_) counts[index(overlap.peer)] += overlap.part.elements();
  }
  return counts;
}

AlltoallCounts Redistribution::exchange(Rank rank, Knowledge knowledge) const {
  const bool all_know = knowledge == Knowledge::everywhere;
  if (all_know && !without_own_ && is_product()) {
    const bool by_rows = from().grid_columns() == 1;
    const auto thickness = [&](const Distribution& of, bool rows) {
      return Blocks(of_ranks(ranks(), [&](Rank r) {
        std::int64_t sum = 0;
        for (const int block : of.blocks_of(r)) sum += rows ? of.block(block).rows : of.block(block).columns;
        return sum;
      }));
    };
    return AlltoallCounts::product(thickness(from(), by_rows), thickness(to(), by_rows == transposed()));
  }
  if (all_know && ranks() <= most_in_matrix) {
    std::vector<std::vector<std::int64_t>> rows;
    for (Rank r = 0; r < ranks(); ++r) rows.push_back(counts_to(r));
    return AlltoallCounts::matrix(rows);
  }
  std::vector<std::int64_t> received(index(ranks()));
  for (const Overlap& overlap : received_overlaps(move_, rank)) {
    if (overlap.peer != rank || !without_own_) received[index(overlap.peer)] += overlap.part.elements();
  }
  return AlltoallCounts::of_rank(rank, Blocks(counts_to(rank)), Blocks(std::move(received)));
}

std::optional<Request> Redistribution::request(Rank rank, Bytes element, Knowledge knowledge) const {
  if (!operation_) return std::nullopt;
  const auto [rows, columns] = from().shape();
  switch (*operation_) {
    case Operation::bcast:
      return Request::bcast(ranks(), root_, rows * columns, element);
    case Operation::scatterv:
      return Request::scatterv(root_, Blocks(of_ranks(ranks(), [&](Rank r) { return receives(r); })), element);
    case Operation::gatherv:
      return Request::gatherv(root_, Blocks(of_ranks(ranks(), [&](Rank r) { return sends(r); })), element);
    case Operation::allgatherv:
      return Request::allgatherv(Blocks(of_ranks(ranks(), [&](Rank r) { return sends(r); })), element);
    default:
      break;
  }
  Request request = Request::alltoallv(ranks(), exchange(rank, knowledge), element);
  if (!request.exchange.knows((rank + 1) % ranks())) request.knowledge = Knowledge::as_in_mpi;
  return request;
}

std::int64_t Redistribution::keeps(Rank rank) const {
  if (operation_ && !without_own_) return 0;
  std::int64_t sum = 0;
  for (const Overlap& overlap : received_overlaps(move_, rank)) {
    if (overlap.peer == rank) sum += overlap.part.elements();
  }
  return sum;
}

std::int64_t Redistribution::sends(Rank rank) const {
  if (!operation_ || (operation_ == Operation::bcast && rank != root_)) return 0;
  return from().elements(rank) - keeps(rank);
}

std::int64_t Redistribution::receives(Rank rank) const {
  if (!operation_) return 0;
  return to().elements(rank) - keeps(rank);
}

bool Redistribution::packs(Rank rank) const {
  if (!operation_ || in_order_) return false;
  if (operation_ == Operation::bcast) return rank == root_;
  return !is_array(packed_blocks(move_, rank, without_own_));
}

bool Redistribution::unpacks(Rank rank) const {
  if (in_order_ || operation_ == Operation::bcast) return false;
  return keeps(rank) > 0 || (operation_ && !is_array(unpacked_blocks(move_, rank, without_own_)));
}

bool Redistribution::is_view(Rank rank) const {
  if (operation_) return false;
  const std::vector<KeptBlock> blocks = kept_blocks(move_, rank);
  return std::all_of(blocks.begin(), blocks.end(), [](const KeptBlock& block) {
    const bool same = block.from.in_one_piece() && block.to.in_one_piece() && block.from.offset == block.to.offset;
    const bool order = !block.turned || block.from.lines == 1 || block.from.width == 1;
    return order && (same || (!block.turned && block.from == block.to));
  });
}

bool Redistribution::is_view() const {
  if (operation_) return false;
  for (Rank rank = 0; rank < ranks(); ++rank) {
    if (!is_view(rank)) return false;
  }
  return true;
}

std::int64_t Redistribution::staying() const {
  const auto [rows, columns] = from().shape();
  if (!operation_) return rows * columns;
  std::int64_t sum = 0;
  for (Rank rank = 0; rank < ranks(); ++rank) {
    for (const int mine : from().blocks_of(rank)) {
      for (const int later : to().blocks_of(rank)) {
        sum += overlap(from().block(mine), move_.target(later)).elements();
      }
    }
  }
  return sum;
}

void Redistribution::pack(Rank rank, Bytes element, const std::byte* from, std::byte* packed) const {
  const Writing how = writing_of(sends(rank) * element);
  if (operation_ == Operation::bcast) {
    if (rank == root_) copy_kept(kept_blocks(move_, rank), element, from, packed, how);
  } else if (operation_) {
    for (const MovedBlock& block : packed_blocks(move_, rank, without_own_)) {
      if (block.turned) {
        turn_strided(element, from, block.memory, packed, block.in_buffer());
      } else {
        copy_strided(element, from, block.memory, packed, block.in_buffer(), how);
      }
    }
  }
  end_streaming();
}

void Redistribution::unpack(Rank rank, Bytes element, const std::byte* from, const std::byte* received,
                            std::byte* to) const {
  const Writing how = writing_of(this->to().elements(rank) * element);
  if (!operation_ || without_own_) copy_kept(kept_blocks(move_, rank), element, from, to, how);
  if (operation_ && operation_ != Operation::bcast) {
    const std::vector<MovedBlock> blocks = unpacked_blocks(move_, rank, without_own_);
    for (auto begin = blocks.begin(); begin != blocks.end();) {
      const auto end = std::find_if(begin, blocks.end(), [&](const MovedBlock& b) { return b.group != begin->group; });
      copy_beside({begin, end}, element, received, to, how);
      begin = end;
    }
  }
  end_streaming();
}

}  // namespace tombolo
