#include <cstddef>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <tombolo/framework/transpose_exchange.hpp>
#include <tombolo/platform/error.hpp>

namespace tombolo {
namespace {

/// What `count` says of each rank.
template <class Count>
std::vector<std::int64_t> of_ranks(int ranks, const Count& count) {
  std::vector<std::int64_t> counts(static_cast<std::size_t>(ranks));
  for (Rank rank = 0; rank < ranks; ++rank) counts[static_cast<std::size_t>(rank)] = count(rank);
  return counts;
}

}  // namespace

TransposeExchange::TransposeExchange(Layout a, Layout b) : a_(std::move(a)), b_(std::move(b)) {
  const auto [rows, columns] = a_.shape();
  if (b_.shape() != MatrixShape{columns, rows}) {
    throw Error(fmt::format("a matrix of {} x {} as the transpose of one of {} x {}", b_.shape().rows,
                            b_.shape().columns, rows, columns),
                fmt::format("give a layout of a matrix of {} x {}", columns, rows));
  }
  if (a_.ranks() != b_.ranks()) {
    throw Error(fmt::format("a matrix on {} ranks and its transpose on {}", a_.ranks(), b_.ranks()),
                "give layouts on the same ranks");
  }
}

bool TransposeExchange::all_stay() const {
  for (Rank rank = 0; rank < ranks(); ++rank) {
    const std::int64_t own = block(rank, rank).elements();
    if (own != part_of_a(rank).elements() || own != part_of_b(rank).elements()) return false;
  }
  return true;
}

std::int64_t TransposeExchange::staying() const {
  std::int64_t sum = 0;
  for (Rank rank = 0; rank < ranks(); ++rank) sum += block(rank, rank).elements();
  return sum;
}

// A part of one row or column is in one piece either way.
bool TransposeExchange::is_view() const {
  if (!all_stay()) return false;
  for (Rank rank = 0; turns() && rank < ranks(); ++rank) {
    const Part part = part_of_a(rank);
    if (part.rows > 1 && part.columns > 1) return false;
  }
  return true;
}

// Bands of A across bands of B: what rank i has of the one times what j has of the other.
bool TransposeExchange::is_product() const {
  return !keeps_own() && ((a_.grid_columns() == 1 && b_.grid_columns() == 1) ||  //
                          (a_.grid_rows() == 1 && b_.grid_rows() == 1));
}

Blocks TransposeExchange::sends(Rank rank) const {
  return Blocks(of_ranks(ranks(), [&](Rank to) { return to == rank && keeps_own() ? 0 : block(rank, to).elements(); }));
}

Blocks TransposeExchange::receives(Rank rank) const {
  return Blocks(
      of_ranks(ranks(), [&](Rank from) { return from == rank && keeps_own() ? 0 : block(from, rank).elements(); }));
}

Exchange TransposeExchange::exchange(Rank rank) const {
  if (is_product()) {
    const bool by_rows = a_.grid_columns() == 1 && b_.grid_columns() == 1;
    const auto thickness = [&](const Layout& layout) {
      return Blocks(of_ranks(ranks(), [&](Rank r) {
        const Part part = layout.part(r);
        return by_rows ? part.rows : part.columns;
      }));
    };
    return Exchange::product(thickness(a_), thickness(b_));
  }
  if (!all_know()) return Exchange::of_rank(rank, sends(rank), receives(rank));
  std::vector<std::vector<std::int64_t>> rows;
  for (Rank from = 0; from < ranks(); ++from) {
    rows.push_back(
        of_ranks(ranks(), [&](Rank to) { return to == from && keeps_own() ? 0 : block(from, to).elements(); }));
  }
  return Exchange::matrix(rows);
}

}  // namespace tombolo
