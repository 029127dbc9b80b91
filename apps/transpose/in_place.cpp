#include "transpose/in_place.hpp"

#include <algorithm>
#include <complex>
#include <map>
#include <utility>

#include <fmt/format.h>

#include <tombolo/framework/matrix/permute_rows.hpp>
#include <tombolo/framework/matrix/strided_copy.hpp>
#include <tombolo/framework/matrix/transpose_in_place.hpp>
#include <tombolo/framework/mpi/arrays/element_datatype.hpp>
#include <tombolo/platform/error.hpp>

namespace tombolo::transposition {

namespace {

bool is_by_rows(const Layout& layout) {
  return !layout.by_columns() && layout.grid_columns() == 1;
}

std::string_view name(const Layout& layout) {
  return layout.by_columns() ? "columns" : is_by_rows(layout) ? "rows" : "blocks";
}

std::vector<Part> parts_of(const Layout& layout) {
  std::vector<Part> parts;
  for (Rank rank = 0; rank < layout.ranks(); ++rank) parts.push_back(layout.part(rank));
  return parts;
}

}  // namespace

InPlace::InPlace(const Layout& a, const Layout& b, Rank rank)
    : rank_(rank), turned_(a.by_columns() == b.by_columns()), a_elements_(a.part(rank).elements()) {
  find_whole_parts(a, b);
  if (lines_.empty() && turned_ && is_by_rows(a) == is_by_rows(b) && (a.by_columns() || is_by_rows(a))) {
    find_lines(a, b);
  }
  if (lines_.empty()) {
    throw Error(fmt::format("--in-place cannot make B by {} of A by {}, parts of which would be cut in two directions",
                            name(b), name(a)),
                "take rows for both, or columns, or grids that are each other's transpose, or leave out --in-place");
  }
  find_room();
}

void InPlace::find_whole_parts(const Layout& a, const Layout& b) {
  std::map<std::pair<std::int64_t, std::int64_t>, Rank> holders;  // of parts of B, by where they begin
  for (Rank rank = 0; rank < b.ranks(); ++rank) {
    const Part part = b.part(rank).transposed();
    if (part.elements() > 0) holders[{part.first_row, part.first_column}] = rank;
  }
  std::vector<Rank> target;
  bool stays = true;
  for (Rank rank = 0; rank < a.ranks(); ++rank) {
    const Part part = a.part(rank);
    target.push_back(-1);
    if (part.elements() == 0) continue;
    const auto holder = holders.find({part.first_row, part.first_column});
    if (holder == holders.end() || b.part(holder->second).transposed() != part) return;
    target.back() = holder->second;
    stays = stays && holder->second == rank;
  }
  target_ = std::move(target);
  stays_ = stays;
  for (const Part& part : parts_of(a)) lines_.push_back(part.elements());
  const Part arrives = b.part(rank_).transposed();
  rows_ = a.by_columns() ? arrives.columns : arrives.rows;
}

void InPlace::find_lines(const Layout& a, const Layout& b) {
  for (const Part& part : parts_of(a)) {
    lines_.push_back(a.by_columns() ? part.columns : part.rows);
    first_.push_back(a.by_columns() ? part.first_column : part.first_row);
  }
  for (const Part& part : parts_of(b)) {
    columns_.push_back(a.by_columns() ? part.columns : part.rows);
    at_.push_back(a.by_columns() ? part.first_column : part.first_row);
  }
  length_ = a.by_columns() ? a.shape().rows : a.shape().columns;
  rows_ = a.by_columns() ? a.shape().columns : a.shape().rows;
  for (Rank rank = 0; rank < ranks(); ++rank) {
    if (lines(rank) > 0) by_line_.push_back(rank);
  }
  std::sort(by_line_.begin(), by_line_.end(), [this](Rank one, Rank other) {
    return first_[static_cast<std::size_t>(one)] < first_[static_cast<std::size_t>(other)];
  });
}

void InPlace::find_room() {
  room_ = std::max(a_elements_, b_elements());
  for (int sweep = 0; sweep < sweeps && !stays_; ++sweep) {
    const std::int64_t left = (lines(rank_) - sent(rank_, sweep + 1)) * length_;
    room_ = std::max(room_, arrived(rank_, sweep + 1) + left);
  }
}

std::int64_t InPlace::sent(Rank rank, int sweep) const {
  return std::min(sweep * lines_at_once(rank), lines(rank));
}

std::int64_t InPlace::piece(Rank from, Rank to) const {
  if (cut()) return columns_[static_cast<std::size_t>(to)];
  return target_[static_cast<std::size_t>(from)] == to ? 1 : 0;
}

std::int64_t InPlace::arrived(Rank rank, int sweep) const {
  std::int64_t elements = 0;
  for (Rank from = 0; from < ranks(); ++from) elements += sent(from, sweep) * piece(from, rank);
  return elements;
}

std::int64_t InPlace::workspace() const {
  return stays_ ? 0 : lines_at_once(rank_) * length_;
}

Bytes InPlace::bytes(Bytes element) const {
  const std::int64_t columns = rows_ == 0 ? 0 : b_elements() / rows_;
  return (room() + workspace()) * element + (turned_ ? in_place_workspace(rows_, columns, element) : 0);
}

AlltoallCounts InPlace::exchange(int sweep) const {
  if (cut()) {
    std::vector<std::int64_t> counts;
    for (Rank rank = 0; rank < ranks(); ++rank) counts.push_back(in_sweep(rank, sweep));
    return AlltoallCounts::product(Blocks(std::move(counts)), Blocks(columns_));
  }
  std::vector<std::int64_t> sends;
  std::vector<std::int64_t> receives;
  for (Rank peer = 0; peer < ranks(); ++peer) {
    sends.push_back(in_sweep(rank_, sweep) * piece(rank_, peer));
    receives.push_back(in_sweep(peer, sweep) * piece(peer, rank_));
  }
  return AlltoallCounts::of_rank(rank_, Blocks(std::move(sends)), Blocks(std::move(receives)));
}

template <Element T>
void InPlace::pack(int sweep, const T* lines, T* to) const {
  const std::int64_t count = in_sweep(rank_, sweep);
  if (!cut()) {
    std::copy_n(lines, count, to);
    return;
  }
  for (Rank rank = 0; rank < ranks(); ++rank) {
    const auto r = static_cast<std::size_t>(rank);
    to = pack_columns(count, lines + at_[r], length_, columns_[r], to);
  }
}

/// Pieces that arrive before the first of each rank in each sweep.
std::vector<std::int64_t> InPlace::places() const {
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
void InPlace::put_in_order(T* buffer) const {
  const std::vector<std::int64_t> before = places();
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
void InPlace::sweep(Session& session, Collectives& collectives, int number, T* buffer, T* workspace) const {
  const AlltoallCounts exchanged = exchange(number);
  const T* const lines = buffer + a_at() + sent(rank_, number) * length_;
  T* const to = buffer + arrived(rank_, number);
  session.compute(static_cast<double>(in_sweep(rank_, number) * length_), [&] { pack(number, lines, workspace); });
  if (cut()) {
    collectives.alltoallv(workspace, exchanged, to, mpi_type(element_type_of<T>));
  } else {
    collectives.alltoallv(workspace, exchanged.sends(rank_), to, exchanged.receives(rank_),
                          mpi_type(element_type_of<T>));
  }
}

template <Element T>
PhaseEnds InPlace::run(Session& session, Collectives& collectives, T* buffer, T* workspace) const {
  const auto elements = static_cast<double>(b_elements());
  Stopwatch clock(session, in_place_phases.size());
  for (int number = 0; number < sweeps && !stays_; ++number) sweep(session, collectives, number, buffer, workspace);
  clock.end_phase();
  if (cut()) session.compute(elements, [&] { put_in_order(buffer); });
  clock.end_phase();
  if (turned_ && rows_ > 0) {
    session.compute(elements, [&] { transpose_in_place(rows_, b_elements() / rows_, buffer); });
  }
  clock.end_phase();
  return clock.ends();
}

std::vector<Phase> InPlace::forecast(Session& session, Collectives& collectives, Bytes element,
                                     const std::vector<BytesPerSecond>& speeds) const {
  PhaseForecast all;
  for (int number = 0; number < sweeps && !stays_ && cut(); ++number) {
    const Request request = Request::alltoallv(ranks(), exchange(number), element);
    const PhaseForecast one = forecast_collective(collectives, *session.planner(), request, alltoallv_direct);
    all = {number == 0 ? one.how : all.how, all.predicted_s + one.predicted_s, all.bound_s + one.bound_s};
  }
  all.how = stays_  ? "every part is where it is needed"
            : cut() ? fmt::format("{} times {}", sweeps, all.how)
                    : "parts as a whole, not predicted";
  std::vector<double> moved;
  for (Rank rank = 0; rank < ranks(); ++rank) moved.push_back(static_cast<double>(arrived(rank, sweeps) * element));
  const std::vector<double> nothing(moved.size(), 0);
  return {{in_place_phases[0], all},
          {in_place_phases[1], forecast_work("lines, along cycles", cut() ? moved : nothing, speeds)},
          {in_place_phases[2], forecast_work("in place", turned_ ? moved : nothing, speeds)}};
}

#define TOMBOLO_FOR(T) template PhaseEnds InPlace::run(Session&, Collectives&, T*, T*) const;
TOMBOLO_FOR(float)
TOMBOLO_FOR(double)
TOMBOLO_FOR(std::complex<float>)
TOMBOLO_FOR(std::complex<double>)
#undef TOMBOLO_FOR

}  // namespace tombolo::transposition
