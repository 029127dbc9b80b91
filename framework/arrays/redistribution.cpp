#include <algorithm>
#include <numeric>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include <tombolo/framework/arrays/rank_move.hpp>
#include <tombolo/framework/arrays/redistribution.hpp>
#include <tombolo/units.hpp>

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
  if (!distribution.exact()) return false;
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

void sort(std::vector<Overlap>& overlaps) {
  const auto by_message = [](const Overlap& one, const Overlap& other) {
    return std::tie(one.peer, one.to, one.from) < std::tie(other.peer, other.to, other.from);
  };
  if (!std::is_sorted(overlaps.begin(), overlaps.end(), by_message)) {
    std::sort(overlaps.begin(), overlaps.end(), by_message);
  }
}

}  // namespace

Redistribution::Redistribution(Distribution from, Distribution to, bool transposed, OwnData own, Covers covers)
    : from_(std::move(from)), to_(std::move(to)), transposed_(transposed), covers_(covers) {
  const auto [rows, columns] = from_.shape();
  const MatrixShape needed = transposed ? MatrixShape{columns, rows} : MatrixShape{rows, columns};
  if (to_.shape() != needed) {
    throw Error(fmt::format("a matrix of {} x {} as {} {} x {}", to_.shape().rows, to_.shape().columns,
                            transposed ? "the transpose of one of" : "one of", rows, columns),
                fmt::format("give a distribution of a matrix of {} x {}", needed.rows, needed.columns));
  }
  if (to_.ranks() != ranks()) {
    throw Error(fmt::format("a matrix on {} ranks to be moved to {}", ranks(), to_.ranks()),
                "give distributions on the same ranks");
  }
  if (covers == Covers::all) check_source();
  if (own == OwnData::exchanged) {
    operation_ = Operation::alltoallv;
    return;
  }
  if (stays()) return;
  const auto source = sole_owner(from_);
  const auto target = sole_owner(to_);
  root_ = source ? *source : target ? *target : 0;
  const bool to_all = to_.replicated();
  operation_ = to_all   ? (source ? Operation::bcast : Operation::allgatherv)
               : source ? Operation::scatterv
               : target ? Operation::gatherv
                        : Operation::alltoallv;
  in_order_ = !to_all && !turns() && in_order_of_ranks(from_) && in_order_of_ranks(to_);
  without_own_ =
      !to_all && !in_order_ && !(operation_ == Operation::alltoallv && ranks() > most_keeping && is_product());
}

// Parts of a grid, of a replicated matrix and of an exact distribution are there for everybody.
void Redistribution::check_source() const {
  if (from_.replicated() || from_.exact()) return;
  for (int number = 0; number < to_.blocks(); ++number) {
    const Part wanted = target(number);
    const Rank owner = to_.owner(number, 0);
    std::int64_t found = 0;
    for (const int from : from_.blocks_in(wanted)) {
      if (from_.may_read(owner, from_.owner(from, owner))) found += overlap(from_.block(from), wanted).elements();
    }
    if (found == wanted.elements() && !to_.replicated()) continue;
    throw Error(fmt::format("a part of {} x {} at row {}, column {} to be moved, of which ranks have {} elements",
                            wanted.rows, wanted.columns, wanted.first_row, wanted.first_column, found),
                "move from a distribution that has every element once, in each group of ranks");
  }
}

bool Redistribution::turns() const {
  const auto [rows, columns] = from_.shape();
  return from_.by_columns() != (to_.by_columns() != transposed_) && rows > 1 && columns > 1;
}

std::vector<Overlap> Redistribution::sent_overlaps(Rank rank) const {
  std::vector<Overlap> found;
  for (const int from : from_.blocks_of(rank)) {
    const Part mine = from_.block(from);
    for (const int to : to_.blocks_in(transposed_ ? mine.transposed() : mine)) {
      const Rank peer = to_.owner(to, rank);
      if (from_.may_read(peer, rank)) found.push_back({peer, from, to, overlap(mine, target(to))});
    }
  }
  if (from_.replicated()) {
    std::erase_if(found, [&](const Overlap& overlap) { return overlap.peer != rank; });
  }
  sort(found);
  return found;
}

std::vector<Overlap> Redistribution::received_overlaps(Rank rank) const {
  std::vector<Overlap> found;
  for (const int to : to_.blocks_of(rank)) {
    const Part mine = target(to);
    for (const int from : from_.blocks_in(mine)) {
      const Rank peer = from_.owner(from, rank);
      if (from_.may_read(rank, peer)) found.push_back({peer, from, to, overlap(from_.block(from), mine)});
    }
  }
  sort(found);
  return found;
}

bool Redistribution::stays() const {
  if (from().replicated() || ranks() == 1) return true;
  for (int number = 0; number < from().blocks(); ++number) {
    const Part block = from().block(number);
    if (block.elements() == 0) continue;
    if (to().replicated()) return false;
    const Rank owner = from().owner(number, 0);
    for (const int target : to().blocks_in(transposed() ? block.transposed() : block)) {
      const Rank reader = to().owner(target, 0);
      if (reader != owner && from().may_read(reader, owner)) return false;
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
  for (const Overlap& overlap : sent_overlaps(rank)) {
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
  for (const Overlap& overlap : received_overlaps(rank)) {
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
  if (!own_stays()) return 0;
  std::int64_t sum = 0;
  for (const Overlap& overlap : received_overlaps(rank)) {
    if (overlap.peer == rank) sum += overlap.part.elements();
  }
  return sum;
}

std::int64_t Redistribution::sends(Rank rank) const {
  if (!operation_ || (operation_ == Operation::bcast && rank != root_)) return 0;
  if (!to_.replicated() && !(from_.exact() && to_.exact())) {
    const std::vector<std::int64_t> counts = counts_to(rank);
    return std::accumulate(counts.begin(), counts.end(), std::int64_t{0});
  }
  return from().elements(rank) - keeps(rank);
}

std::int64_t Redistribution::receives(Rank rank) const {
  if (!operation_) return 0;
  if (covers_ == Covers::all) return to().elements(rank) - keeps(rank);
  std::int64_t sum = 0;
  for (const Overlap& overlap : received_overlaps(rank)) {
    if (overlap.peer != rank || !own_stays()) sum += overlap.part.elements();
  }
  return sum;
}

bool Redistribution::is_view() const {
  if (operation_) return false;
  for (Rank rank = 0; rank < ranks(); ++rank) {
    if (!RankMove(*this, rank).is_view()) return false;
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
        sum += overlap(from().block(mine), target(later)).elements();
      }
    }
  }
  return sum;
}

}  // namespace tombolo
