#include <algorithm>
#include <cstddef>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>

#include <tombolo/matrix.hpp>
#include <tombolo/shares.hpp>
#include <tombolo/units.hpp>

namespace tombolo {
namespace {

constexpr std::int64_t largest = std::int64_t{1} << 60;

std::vector<std::int64_t> borders(std::span<const std::int64_t> shares) {
  if (shares.empty()) throw Error("a matrix in 0 shares", "give at least one share");
  std::int64_t left = largest;
  for (const std::int64_t share : shares) {
    if (share < 0) throw Error(fmt::format("a share of {} rows or columns", share), "give shares of 0 or more");
    if (share > left) throw Error("shares of more than 2^60 rows or columns", "take a smaller matrix");
    left -= share;
  }
  return first_of(shares);
}

}  // namespace

Layout::Layout(Kind kind, std::span<const std::int64_t> row_shares, std::span<const std::int64_t> column_shares)
    : kind_(kind), first_rows_(borders(row_shares)), first_columns_(borders(column_shares)) {
  const auto [rows, columns] = shape();
  if (columns > 0 && rows > largest / columns) {
    throw Error(fmt::format("a matrix of {} x {}, more than 2^60 elements", rows, columns), "take a smaller matrix");
  }
}

Layout Layout::rows(std::span<const std::int64_t> row_shares, std::int64_t columns) {
  return {Kind::rows, row_shares, std::span(&columns, 1)};
}

Layout Layout::columns(std::int64_t rows, std::span<const std::int64_t> column_shares) {
  return {Kind::columns, std::span(&rows, 1), column_shares};
}

Layout Layout::blocks(std::span<const std::int64_t> row_shares, std::span<const std::int64_t> column_shares) {
  return {Kind::blocks, row_shares, column_shares};
}

Layout Layout::placed(std::vector<Rank> owners) const {
  if (std::ssize(owners) != ranks()) {
    throw Error(fmt::format("owners of {} parts of {}", owners.size(), ranks()), "give one rank per part");
  }
  std::vector<int> places(owners.size(), -1);
  for (std::size_t place = 0; place < owners.size(); ++place) {
    const Rank rank = owners[place];
    if (rank < 0 || rank >= ranks() || places[static_cast<std::size_t>(rank)] != -1) {
      throw Error(fmt::format("rank {} as the owner of part {}", rank, place), "give each of the ranks one part");
    }
    places[static_cast<std::size_t>(rank)] = static_cast<int>(place);
  }
  Layout result = *this;
  const bool moved = !std::is_sorted(owners.begin(), owners.end());
  result.owners_ = moved ? std::move(owners) : std::vector<Rank>();
  result.places_ = moved ? std::move(places) : std::vector<int>();
  return result;
}

Rank Layout::owner(int place) const {
  if (place < 0 || place >= ranks()) throw std::out_of_range(fmt::format("part {} of {}", place, ranks()));
  return owners_.empty() ? place : owners_[static_cast<std::size_t>(place)];
}

int Layout::place(Rank rank) const {
  if (rank < 0 || rank >= ranks()) throw std::out_of_range(fmt::format("rank {} of {}", rank, ranks()));
  return places_.empty() ? rank : places_[static_cast<std::size_t>(rank)];
}

Part Layout::part_at(int place) const {
  if (place < 0 || place >= ranks()) throw std::out_of_range(fmt::format("part {} of {}", place, ranks()));
  const auto i = static_cast<std::size_t>(place / grid_columns());
  const auto j = static_cast<std::size_t>(place % grid_columns());
  return {first_rows_[i], first_rows_[i + 1] - first_rows_[i], first_columns_[j],
          first_columns_[j + 1] - first_columns_[j]};
}

}  // namespace tombolo
