#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include <tombolo/collectives/mpi/collectives.hpp>
#include <tombolo/collectives/request/alltoall_counts.hpp>
#include <tombolo/framework/matrix_layout.hpp>
#include <tombolo/framework/mpi/session.hpp>

#include "run/timeline.hpp"

namespace tombolo::transposition {

inline constexpr std::array in_place_phases{"sweeps", "order", "transpose"};

/// B takes A's memory, as one rank does it. Between two layouts by rows, or two by columns, of any shares: the rank's
/// lines (its rows, or columns) lie at the end of its buffer. In eight sweeps, each takes the next eighth of its lines,
/// cuts them into the pieces of each destination in a workspace, and sends those; what arrives is appended at the
/// buffer's front, where lines have left. At the end the buffer holds the pieces of all lines in the order of sweeps
/// and sources; they are put into the order of the lines, and transposed, in place.
///
/// Where every part of A is a part of B as a whole (blocks in a grid and its transpose, and views) parts go to their
/// ranks in the same sweeps, uncut: their lines are elements. All ranks know all of it.
class InPlace {
 public:
  static constexpr int sweeps = 8;

  /// Throws Error for other layouts.
  InPlace(const Layout& a, const Layout& b, Rank rank);

  /// Elements of the buffer: as many as the larger part of the rank, and some more where others send faster.
  std::int64_t room() const { return room_; }
  std::int64_t a_at() const { return room_ - a_elements_; }  ///< where A begins; B will begin at 0
  std::int64_t workspace() const;                            ///< elements
  Bytes bytes(Bytes element) const;                          ///< all that this rank takes, also to transpose with
  bool is_view() const { return stays_ && !turned_; }        ///< B is there as it is

  template <Element T>
  PhaseEnds run(Session& session, Collectives& collectives, T* buffer, T* workspace) const;
  /// Predicts the phases. `speeds` are bytes/s, one per rank. Collective where the model has not been measured yet.
  std::vector<Phase> forecast(Session& session, Collectives& collectives, Bytes element,
                              const std::vector<BytesPerSecond>& speeds) const;

 private:
  void find_whole_parts(const Layout& a, const Layout& b);
  void find_lines(const Layout& a, const Layout& b);
  void find_room();

  int ranks() const { return static_cast<int>(lines_.size()); }
  std::int64_t lines(Rank rank) const { return lines_[static_cast<std::size_t>(rank)]; }
  std::int64_t lines_at_once(Rank rank) const { return (lines(rank) + sweeps - 1) / sweeps; }
  std::int64_t sent(Rank rank, int sweep) const;  ///< lines before a sweep
  std::int64_t in_sweep(Rank rank, int sweep) const { return sent(rank, sweep + 1) - sent(rank, sweep); }
  std::int64_t piece(Rank from, Rank to) const;      ///< elements of each line
  std::int64_t arrived(Rank rank, int sweep) const;  ///< elements before a sweep
  std::vector<std::int64_t> places() const;
  AlltoallCounts exchange(int sweep) const;
  bool cut() const { return !columns_.empty(); }
  std::int64_t b_elements() const { return arrived(rank_, sweeps); }
  template <Element T>
  void pack(int sweep, const T* lines, T* to) const;
  template <Element T>
  void sweep(Session& session, Collectives& collectives, int number, T* buffer, T* workspace) const;
  template <Element T>
  void put_in_order(T* buffer) const;

  Rank rank_;
  bool stays_ = false;                 // every part is on its rank already
  bool turned_ = true;                 // what has arrived is to be transposed
  std::int64_t rows_ = 0;              // of what has arrived, in memory
  std::int64_t length_ = 1;            // of a line
  std::vector<std::int64_t> lines_;    // of each rank
  std::vector<std::int64_t> columns_;  // elements of each line that a rank gets
  std::vector<std::int64_t> at_;       // where in a line those begin
  std::vector<std::int64_t> first_;    // line of each rank
  std::vector<Rank> by_line_;          // ranks with lines, by their first
  std::vector<Rank> target_;           // where parts are whole: who gets a rank's, or -1
  std::int64_t a_elements_ = 0;
  std::int64_t room_ = 0;
};

}  // namespace tombolo::transposition
