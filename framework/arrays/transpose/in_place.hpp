#pragma once

#include <cstdint>
#include <vector>

#include <tombolo/framework/arrays/rank_move.hpp>
#include <tombolo/matrix.hpp>

namespace tombolo {

/// One rank's part of a transpose B = A^T over ranks in which B takes A's memory (carried out by
/// mpi/arrays/carry_out.hpp). Between two layouts by rows, or two by columns, of any shares: the rank's lines (rows, or
/// columns) lie at the end of its buffer. In eight sweeps the next eighth of all ranks' lines is redistributed, through
/// a workspace, into blocks of columns, which are appended at the front of the buffer, where lines have left. Then the
/// buffer holds the pieces of all lines in the order of sweeps and sources; they are put into the order of the lines,
/// and transposed, in place.
///
/// If every part of A is a part of B as a whole (blocks in a grid and its transpose, and views) parts go to their ranks
/// in the same sweeps, uncut: their lines are elements. All ranks hold all of the description.
class InPlaceTranspose {
 public:
  static constexpr int sweeps = 8;

  /// Throws Error for layouts between which can_do() is false, std::out_of_range for a rank out of range.
  InPlaceTranspose(const Layout& a, const Layout& b, Rank rank);
  static bool can_do(const Layout& a, const Layout& b);

  /// Elements of the buffer: as many as the larger part of the rank, and some more if others send faster.
  std::int64_t room() const { return room_; }
  std::int64_t a_at() const { return room_ - a_elements_; }  ///< start of A in the buffer; B will start at 0
  std::int64_t b_elements() const { return arrived(rank_, sweeps); }
  std::int64_t workspace() const { return stays_ ? 0 : lines_at_once(rank_) * length_; }  ///< elements
  /// Memory of the rank, including that of the transpose of its part.
  Bytes bytes(Bytes element) const;
  bool stays() const { return stays_; }                ///< every part is on its rank already: no sweeps
  bool cut() const { return !columns_.empty(); }       ///< lines are cut and then put in order
  bool turned() const { return turned_; }              ///< what has arrived is transposed
  bool is_view() const { return stays_ && !turned_; }  ///< B is there as it is

  /// Returns the redistribution of a sweep, from the lines at sent_at() to the memory at arrived_at(), both in the
  /// buffer and in elements; lines of uncut parts are known to their two ranks only (Knowledge::as_in_mpi).
  Redistribution exchange(int sweep) const;
  Knowledge knowledge() const { return cut() ? Knowledge::everywhere : Knowledge::as_in_mpi; }
  std::int64_t sent_at(int sweep) const { return a_at() + sent(rank_, sweep) * length_; }
  std::int64_t arrived_at(int sweep) const { return arrived(rank_, sweep); }
  /// Elements of B on a rank, all of which the sweeps bring.
  std::int64_t arrives(Rank rank) const { return arrived(rank, sweeps); }

  /// Puts the pieces into the order of the lines, after all sweeps, if lines were cut.
  template <Element T>
  void put_in_order(T* buffer) const;
  /// Transposes the lines, in place, if turned().
  template <Element T>
  void turn(T* buffer) const;

 private:
  void find_whole_parts(const Layout& a, const Layout& b);
  void find_lines(const Layout& a, const Layout& b);
  void find_room();

  int ranks() const { return static_cast<int>(lines_.size()); }
  std::int64_t lines(Rank rank) const { return lines_[static_cast<std::size_t>(rank)]; }
  std::int64_t lines_at_once(Rank rank) const { return (lines(rank) + sweeps - 1) / sweeps; }
  std::int64_t sent(Rank rank, int sweep) const { return std::min(sweep * lines_at_once(rank), lines(rank)); }
  std::int64_t in_sweep(Rank rank, int sweep) const { return sent(rank, sweep + 1) - sent(rank, sweep); }
  std::int64_t piece(Rank from, Rank to) const;      // elements of each line
  std::int64_t arrived(Rank rank, int sweep) const;  // elements before a sweep
  std::vector<std::int64_t> pieces_before() const;

  Rank rank_;
  bool stays_ = false;
  bool turned_ = true;
  std::int64_t rows_ = 0;              // of what has arrived, in memory
  std::int64_t length_ = 1;            // of a line
  std::vector<std::int64_t> lines_;    // of each rank
  std::vector<std::int64_t> columns_;  // elements of each line, by place in the line; empty if parts are whole
  std::vector<Rank> owners_;           // of these columns, or the receiver of each rank's whole part
  std::vector<std::int64_t> widths_;   // columns_ by rank
  std::vector<std::int64_t> first_;    // line of each rank
  std::vector<Rank> by_line_;          // ranks with lines, by their first
  std::int64_t a_elements_ = 0;
  std::int64_t room_ = 0;
};

}  // namespace tombolo
