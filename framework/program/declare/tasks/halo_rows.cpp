#include <algorithm>

#include <tombolo/framework/program/declare/tasks/halo_rows.hpp>

namespace tombolo {

namespace {

constexpr int most_in_matrix = 256;

// Appends the rows [first, end) of other owners.
void add_owners(const Division& rows, std::int64_t first, std::int64_t end, Rank not_of, std::vector<HaloRows>& to) {
  const Blocks& blocks = rows.panel(0);
  for (Rank rank = 0; rank < rows.ranks(); ++rank) {
    const std::int64_t begin = std::max(first, blocks.offset(rank));
    const std::int64_t behind = std::min(end, blocks.offset(rank) + blocks.count(rank));
    if (rank != not_of && begin < behind) to.push_back({rank, begin, behind - begin});
  }
}

Blocks counts_of(const std::vector<HaloRows>& rows, int ranks, std::int64_t columns) {
  std::vector<std::int64_t> counts(static_cast<std::size_t>(ranks), 0);
  for (const HaloRows& part : rows) counts[static_cast<std::size_t>(part.with)] += part.count * columns;
  return Blocks(std::move(counts));
}

}  // namespace

std::vector<HaloRows> halo_needed(const Division& rows, std::int64_t halo, Rank member) {
  const Slice mine = rows.slice(0, member);
  std::vector<HaloRows> needed;
  if (mine.count == 0) return needed;
  add_owners(rows, std::max<std::int64_t>(mine.first - halo, 0), mine.first, member, needed);
  const std::int64_t end = mine.first + mine.count;
  add_owners(rows, end, std::min(end + halo, rows.items()), member, needed);
  return needed;
}

std::vector<HaloRows> halo_given(const Division& rows, std::int64_t halo, Rank member) {
  std::vector<HaloRows> given;
  for (Rank other = 0; other < rows.ranks(); ++other) {
    if (other == member) continue;
    for (const HaloRows& part : halo_needed(rows, halo, other)) {
      if (part.with == member) given.push_back({other, part.first, part.count});
    }
  }
  return given;
}

AlltoallCounts halo_exchange(const Division& rows, std::int64_t halo, std::int64_t columns, Rank member) {
  const int ranks = rows.ranks();
  if (ranks > most_in_matrix) {
    return AlltoallCounts::of_rank(member, counts_of(halo_given(rows, halo, member), ranks, columns),
                                   counts_of(halo_needed(rows, halo, member), ranks, columns));
  }
  std::vector<std::vector<std::int64_t>> matrix(static_cast<std::size_t>(ranks),
                                                std::vector<std::int64_t>(static_cast<std::size_t>(ranks), 0));
  for (Rank to = 0; to < ranks; ++to) {
    for (const HaloRows& part : halo_needed(rows, halo, to)) {
      matrix[static_cast<std::size_t>(part.with)][static_cast<std::size_t>(to)] += part.count * columns;
    }
  }
  return AlltoallCounts::matrix(matrix);
}

Request halo_request(const DeclaredArray& array, const Division& rows, Rank member) {
  const int ranks = rows.ranks();
  Request request =
      Request::alltoallv(ranks, halo_exchange(rows, array.halo, array.shape.columns, member), array.element);
  if (!request.exchange.knows((member + 1) % ranks)) request.knowledge = Knowledge::as_in_mpi;
  return request;
}

}  // namespace tombolo
