#include <algorithm>
#include <array>
#include <cstddef>
#include <limits>
#include <numeric>
#include <stdexcept>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include <tombolo/matrix.hpp>
#include <tombolo/units.hpp>

namespace tombolo {
namespace {

std::size_t index(std::int64_t i) {
  return static_cast<std::size_t>(i);
}

void check_ranks(int ranks) {
  if (ranks < 1) throw Error(fmt::format("a matrix on {} ranks", ranks), "give at least one rank");
}

Layout one_block(const MatrixShape& shape) {
  return Layout::blocks(std::array{shape.rows}, std::array{shape.columns});
}

void check_within(const Part& part, const MatrixShape& shape) {
  if (part.rows >= 0 && part.columns >= 0 && part.first_row >= 0 && part.first_column >= 0 && part.rows <= shape.rows &&
      part.first_row <= shape.rows - part.rows && part.columns <= shape.columns &&
      part.first_column <= shape.columns - part.columns) {
    return;
  }
  throw Error(fmt::format("a part of {} x {} at row {}, column {} of a matrix of {} x {}", part.rows, part.columns,
                          part.first_row, part.first_column, shape.rows, shape.columns),
              "give parts within the matrix");
}

/// Returns true if parts, in the order of their first rows, cover the matrix without overlap.
bool cover_once(std::span<const Part> parts, const MatrixShape& shape) {
  std::int64_t left = shape.rows * shape.columns;
  for (const Part& part : parts) {
    if (part.elements() > left) return false;
    left -= part.elements();
  }
  if (left != 0) return false;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    for (std::size_t j = i + 1; j < parts.size(); ++j) {
      if (parts[j].first_row >= parts[i].first_row + parts[i].rows) break;
      if (overlap(parts[i], parts[j]).elements() > 0) return false;
    }
  }
  return true;
}

std::vector<Rank> each_its_own(std::size_t ranks) {
  std::vector<Rank> owners(ranks);
  std::iota(owners.begin(), owners.end(), 0);
  return owners;
}

/// Returns the owners of a layout's cells.
std::vector<Rank> owners_of(const Layout& layout) {
  std::vector<Rank> owners(index(layout.ranks()));
  for (int place = 0; place < layout.ranks(); ++place) owners[index(place)] = layout.owner(place);
  return owners;
}

/// Returns the range of block rows or columns, of `count`, that intersect [first, first + width): from the first that
/// ends after `first` to the last that begins before the end. begin(i) is the start of block row or column i.
template <class Begin>
std::pair<int, int> lines_in(int count, std::int64_t first, std::int64_t width, const Begin& begin) {
  const auto first_from = [&](std::int64_t border) {  // the first that begins at `border` or later
    int low = 0;
    for (int high = count; low < high;) {
      const int middle = low + (high - low) / 2;
      if (begin(middle) < border) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  };
  return {std::max(first_from(first + 1) - 1, 0), first_from(first + width)};
}

}  // namespace

Distribution::Distribution(Layout grid, std::vector<Rank> owners, int ranks)
    : grid_(std::move(grid)), owners_(std::move(owners)), ranks_(ranks) {
  check_ranks(ranks);
  list_owners();
}

void Distribution::list_owners() {
  first_of_.assign(index(ranks_) + 1, 0);
  for (std::size_t block = 0; block < owners_.size(); ++block) {
    const Rank owner = owners_[block];
    if (owner < 0 || owner >= ranks_) {
      throw Error(fmt::format("rank {} as the owner of block {}", owner, block),
                  fmt::format("give ranks of 0 to {}", ranks_ - 1));
    }
    ++first_of_[index(owner) + 1];
  }
  std::partial_sum(first_of_.begin(), first_of_.end(), first_of_.begin());
  by_owner_.resize(owners_.size());
  std::vector<std::size_t> next(first_of_.begin(), first_of_.end() - 1);
  for (std::size_t block = 0; block < owners_.size(); ++block) {
    by_owner_[next[index(owners_[block])]++] = static_cast<int>(block);
  }
}

Distribution Distribution::at(Rank root, MatrixShape shape, int ranks) {
  return {one_block(shape), {root}, ranks};
}

Distribution Distribution::everywhere(MatrixShape shape, int ranks) {
  Distribution result(one_block(shape), {}, ranks);
  if (ranks == 1) return at(0, shape, 1);
  result.replicated_ = true;
  result.by_owner_ = {0};
  return result;
}

Distribution Distribution::rows(std::span<const std::int64_t> shares, std::int64_t columns) {
  return {Layout::blocks(shares, std::array{columns}), each_its_own(shares.size()), static_cast<int>(shares.size())};
}

Distribution Distribution::columns(std::int64_t rows, std::span<const std::int64_t> shares) {
  return Distribution(Layout::columns(rows, shares));
}

Distribution Distribution::blocks(std::span<const std::int64_t> row_shares, std::span<const std::int64_t> column_shares,
                                  std::vector<Rank> owners, int ranks) {
  if (owners.size() != row_shares.size() * column_shares.size() ||
      owners.size() > index(std::numeric_limits<int>::max())) {
    throw Error(fmt::format("owners of {} blocks of {} x {}", owners.size(), row_shares.size(), column_shares.size()),
                "give one rank per block, of at most 2^31 - 1 blocks");
  }
  return {Layout::blocks(row_shares, column_shares), std::move(owners), ranks};
}

Distribution Distribution::rectangles(MatrixShape shape, std::span<const Part> parts, std::span<const Rank> owners,
                                      int ranks, std::vector<int> groups) {
  if (owners.size() != parts.size() || (!groups.empty() && groups.size() != index(ranks))) {
    throw Error(fmt::format("{} rectangles of {} owners on {} ranks in {} groups", parts.size(), owners.size(), ranks,
                            groups.size()),
                "give one rank per rectangle, and one group per rank or none");
  }
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    check_within(parts[i], shape);
    if (parts[i].elements() > 0) order.push_back(i);
  }
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return std::tie(parts[a].first_row, parts[a].first_column, owners[a], a) <
           std::tie(parts[b].first_row, parts[b].first_column, owners[b], b);
  });
  Distribution result(one_block(shape), {}, ranks);
  result.at_any_place_ = true;
  for (const std::size_t i : order) {
    result.rectangles_.push_back(parts[i]);
    result.longest_.rows = std::max(result.longest_.rows, parts[i].rows);
    result.longest_.columns = std::max(result.longest_.columns, parts[i].columns);
    result.owners_.push_back(owners[i]);
  }
  result.exact_ = groups.empty() && cover_once(result.rectangles_, shape);
  result.groups_ = std::move(groups);
  result.list_owners();
  return result;
}

Distribution::Distribution(const Layout& layout)
    : Distribution(layout.placed(each_its_own(index(layout.ranks()))), owners_of(layout), layout.ranks()) {
  // A layout by rows becomes blocks of one column, so that equal distributions compare equal.
  if (layout.kind() != Layout::Kind::rows) return;
  std::vector<std::int64_t> shares(index(grid_.grid_rows()));
  for (int place = 0; place < grid_.ranks(); ++place) shares[index(place)] = grid_.part_at(place).rows;
  grid_ = Layout::blocks(shares, std::array{grid_.shape().columns});
}

std::optional<Rank> Distribution::root() const {
  return owners_.size() == 1 && exact_ ? std::optional(owners_.front()) : std::nullopt;
}

std::span<const int> Distribution::blocks_of(Rank rank) const {
  if (rank < 0 || rank >= ranks_) throw std::out_of_range(fmt::format("rank {} of {}", rank, ranks_));
  if (replicated_) return by_owner_;
  const std::span all(by_owner_);
  return all.subspan(first_of_[index(rank)], first_of_[index(rank) + 1] - first_of_[index(rank)]);
}

std::vector<Part> Distribution::parts(Rank rank) const {
  std::vector<Part> parts;
  for (const int number : blocks_of(rank)) parts.push_back(block(number));
  return parts;
}

std::int64_t Distribution::elements(Rank rank) const {
  std::int64_t sum = 0;
  for (const int number : blocks_of(rank)) sum += block(number).elements();
  return sum;
}

std::int64_t Distribution::most_elements() const {
  std::int64_t most = 0;
  for (Rank rank = 0; rank < ranks_; ++rank) most = std::max(most, elements(rank));
  return most;
}

std::vector<int> Distribution::blocks_in(const Part& part) const {
  std::vector<int> found;
  if (part.elements() == 0) return found;
  if (!is_grid()) {
    // Sorted by their first rows, those of one first row by their first columns.
    const auto end = rectangles_.end();
    auto line = std::partition_point(rectangles_.begin(), end, [&](const Part& rectangle) {
      return rectangle.first_row + longest_.rows <= part.first_row;
    });
    while (line != end && line->first_row < part.first_row + part.rows) {
      const auto next = std::partition_point(
          line, end, [row = line->first_row](const Part& rectangle) { return rectangle.first_row <= row; });
      auto at = std::partition_point(line, next, [&](const Part& rectangle) {
        return rectangle.first_column + longest_.columns <= part.first_column;
      });
      for (; at != next && at->first_column < part.first_column + part.columns; ++at) {
        if (overlap(*at, part).elements() > 0) found.push_back(static_cast<int>(at - rectangles_.begin()));
      }
      line = next;
    }
    return found;
  }
  const int across = grid_.grid_columns();
  const auto [top, bottom] =
      lines_in(grid_.grid_rows(), part.first_row, part.rows, [&](int line) { return block(line * across).first_row; });
  const auto [left, right] =
      lines_in(across, part.first_column, part.columns, [&](int line) { return block(line).first_column; });
  for (int i = top; i < bottom; ++i) {
    for (int j = left; j < right; ++j) {
      const int number = i * across + j;
      if (overlap(block(number), part).elements() > 0) found.push_back(number);
    }
  }
  return found;
}

}  // namespace tombolo
