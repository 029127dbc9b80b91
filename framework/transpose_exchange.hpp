#pragma once

#include <cstdint>

#include <tombolo/collectives/exchange.hpp>
#include <tombolo/framework/matrix_layout.hpp>

namespace tombolo {

/// Which elements go from whom to whom where a matrix A in one layout becomes B = A^T in another. Parts and blocks are
/// rectangles of A, also those of B, turned. All ranks know all of it; nothing is kept per pair of ranks.
class TransposeExchange {
 public:
  /// Throws Error if b is not of the transpose's shape or on another number of ranks.
  TransposeExchange(Layout a, Layout b);

  const Layout& a() const { return a_; }
  const Layout& b() const { return b_; }
  int ranks() const { return a_.ranks(); }
  /// What a rank has of A.
  Part part_of_a(Rank rank) const { return a_.part(rank); }
  /// What it has of B, as a rectangle of A.
  Part part_of_b(Rank rank) const { return b_.part(rank).transposed(); }
  /// What goes from one rank to another.
  Part block(Rank from, Rank to) const { return overlap(part_of_a(from), part_of_b(to)); }

  /// Whether elements that are neighbours in A's memory are far apart in B's. They are not where one of the two is by
  /// columns and the other is not.
  bool turns() const { return a_.by_columns() == b_.by_columns(); }
  /// Whether the memory that holds A holds B as it is, on every rank.
  bool is_view() const;
  /// Whether no rank sends any other one anything.
  bool all_stay() const;
  /// Elements whose rank stays the same.
  std::int64_t staying() const;

  /// Whether a rank's block for itself is kept out of the exchange: then it need not be copied on the way. With many
  /// ranks it is little, and the exchange rather a product, which is known without a count per pair.
  bool keeps_own() const { return turns() && ranks() <= most_keeping; }
  static constexpr int most_keeping = 64;

  /// As `rank` is to know it: all of it, or where all_know() says no, its own counts. They would be too many where it
  /// is no product, and are not predicted among so many ranks.
  Exchange exchange(Rank rank) const;
  bool all_know() const { return is_product() || ranks() <= most_in_matrix; }
  static constexpr int most_in_matrix = 256;

 private:
  bool is_product() const;
  Blocks sends(Rank rank) const;
  Blocks receives(Rank rank) const;

  Layout a_;
  Layout b_;
};

}  // namespace tombolo
