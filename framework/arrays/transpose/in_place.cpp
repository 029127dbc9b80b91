#include <algorithm>
#include <array>
#include <map>
#include <numeric>
#include <utility>

#include <tombolo/framework/arrays/transpose/in_place.hpp>
#include <tombolo/framework/matrix/for_elements.hpp>
#include <tombolo/framework/matrix/transpose.hpp>
#include <tombolo/units.hpp>

namespace tombolo {
namespace {

bool is_by_rows(const Layout& layout) {
  return !layout.by_columns() && layout.grid_columns() == 1;
}

/// Returns true if the lines of A, in memory, are cut in one direction only to make those of B.
bool lines_to_lines(const Layout& a, const Layout& b) {
  return a.by_columns() == b.by_columns() && is_by_rows(a) == is_by_rows(b) && (a.by_columns() || is_by_rows(a));
}

/// Returns the rank that gets each rank's part as a whole, the rank itself if its part is empty; empty if a part would
/// be cut.
std::vector<Rank> whole_targets(const Layout& a, const Layout& b) {
  std::map<std::pair<std::int64_t, std::int64_t>, Rank> holders;  // of parts of B, by where they begin
  for (Rank rank = 0; rank < b.ranks(); ++rank) {
    const Part part = b.part(rank).transposed();
    if (part.elements() > 0) holders[{part.first_row, part.first_column}] = rank;
  }
  std::vector<Rank> targets;
  for (Rank rank = 0; rank < a.ranks(); ++rank) {
    const Part part = a.part(rank);
    targets.push_back(rank);
    if (part.elements() == 0) continue;
    const auto holder = holders.find({part.first_row, part.first_column});
    if (holder == holders.end() || b.part(holder->second).transposed() != part) return {};
    targets.back() = holder->second;
  }
  return targets;
}

}  // namespace

bool InPlaceTranspose::can_do(const Layout& a, const Layout& b) {
  return lines_to_lines(a, b) || !whole_targets(a, b).empty();
}

InPlaceTranspose::InPlaceTranspose(const Layout& a, const Layout& b, Rank rank)
    : rank_(rank),
      turned_(a.by_columns() == b.by_columns()),
      owners_(whole_targets(a, b)),
      a_elements_(a.part(rank).elements()) {
  if (!owners_.empty()) {
    find_whole_parts(a, b);
  } else if (lines_to_lines(a, b)) {
    find_lines(a, b);
  } else {
    throw Error("layouts between which parts would be cut in two directions, to be transposed in place",
                "take rows for both, or columns, or grids that are each other's transpose");
  }
  find_room();
}

void InPlaceTranspose::find_whole_parts(const Layout& a, const Layout& b) {
  stays_ = true;
  for (Rank rank = 0; rank < a.ranks(); ++rank) {
    lines_.push_back(a.part(rank).elements());
    stays_ = stays_ && owners_[static_cast<std::size_t>(rank)] == rank;
  }
  const Part arrives = b.part(rank_).transposed();
  rows_ = a.by_columns() ? arrives.columns : arrives.rows;
}

void InPlaceTranspose::find_lines(const Layout& a, const Layout& b) {
  const bool by_columns = a.by_columns();
  const auto thickness = [by_columns](const Part& part) { return by_columns ? part.columns : part.rows; };
  for (Rank rank = 0; rank < a.ranks(); ++rank) {
    lines_.push_back(thickness(a.part(rank)));
    first_.push_back(by_columns ? a.part(rank).first_column : a.part(rank).first_row);
    widths_.push_back(thickness(b.part(rank)));
    columns_.push_back(thickness(b.part_at(rank)));
    owners_.push_back(b.owner(rank));
    if (lines_.back() > 0) by_line_.push_back(rank);
  }
  const auto [rows, columns] = a.shape();
  length_ = by_columns ? rows : columns;
  rows_ = by_columns ? columns : rows;
  std::sort(by_line_.begin(), by_line_.end(), [this](Rank one, Rank other) {
    return first_[static_cast<std::size_t>(one)] < first_[static_cast<std::size_t>(other)];
  });
}

void InPlaceTranspose::find_room() {
  room_ = std::max(a_elements_, b_elements());
  for (int sweep = 0; sweep < sweeps && !stays_; ++sweep) {
    const std::int64_t left = (lines(rank_) - sent(rank_, sweep + 1)) * length_;
    room_ = std::max(room_, arrived(rank_, sweep + 1) + left);
  }
}

std::int64_t InPlaceTranspose::piece(Rank from, Rank to) const {
  if (cut()) return widths_[static_cast<std::size_t>(to)];
  return owners_[static_cast<std::size_t>(from)] == to ? 1 : 0;
}

std::int64_t InPlaceTranspose::arrived(Rank rank, int sweep) const {
  std::int64_t elements = 0;
  for (Rank from = 0; from < ranks(); ++from) elements += sent(from, sweep) * piece(from, rank);
  return elements;
}

Bytes InPlaceTranspose::bytes(Bytes element) const {
  const std::int64_t columns = rows_ == 0 ? 0 : b_elements() / rows_;
  return (room() + workspace()) * element + (turned_ ? in_place_workspace(rows_, columns, element) : 0);
}

Redistribution InPlaceTranspose::exchange(int sweep) const {
  std::vector<std::int64_t> lines;
  for (Rank rank = 0; rank < ranks(); ++rank) lines.push_back(in_sweep(rank, sweep));
  const std::array all{std::reduce(lines.begin(), lines.end())};
  return {Distribution::rows(lines, length_),
          cut() ? Distribution::blocks(all, columns_, owners_, ranks())
                : Distribution::blocks(lines, std::array{length_}, owners_, ranks()),
          false, OwnData::exchanged};
}

/// Pieces that arrive before the first of each rank in each sweep.
std::vector<std::int64_t> InPlaceTranspose::pieces_before() const {
  std::vector<std::int64_t> before;
  std::int64_t pieces = 0;
  for (int sweep = 0; sweep < sweeps; ++sweep) {
    for (Rank from = 0; from < ranks(); ++from) {
      before.push_back(pieces);
      pieces += in_sweep(from, sweep);
    }
  }
  return before;
}

template <Element T>
void InPlaceTranspose::put_in_order(T* buffer) const {
  if (!cut()) return;
  const std::vector<std::int64_t> before = pieces_before();
  const std::int64_t width = b_elements() / std::max<std::int64_t>(rows_, 1);
  permute_rows(rows_, width, buffer, [&](std::int64_t line) {
    const auto after = std::upper_bound(by_line_.begin(), by_line_.end(), line, [this](std::int64_t l, Rank rank) {
      return l < first_[static_cast<std::size_t>(rank)];
    });
    const Rank from = *(after - 1);
    const std::int64_t of_rank = line - first_[static_cast<std::size_t>(from)];
    const int sweep = static_cast<int>(of_rank / lines_at_once(from));
    return before[static_cast<std::size_t>(sweep * ranks() + from)] + of_rank - sent(from, sweep);
  });
}

template <Element T>
void InPlaceTranspose::turn(T* buffer) const {
  if (turned_ && rows_ > 0) transpose_in_place(rows_, b_elements() / rows_, buffer);
}

#define TOMBOLO_FOR(T)                                    \
  template void InPlaceTranspose::put_in_order(T*) const; \
  template void InPlaceTranspose::turn(T*) const;
TOMBOLO_FOR_ELEMENTS(TOMBOLO_FOR)
#undef TOMBOLO_FOR

}  // namespace tombolo
