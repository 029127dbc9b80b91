#pragma once

#include <cstdint>
#include <vector>

#include <tombolo/framework/element_type.hpp>
#include <tombolo/framework/transpose_exchange.hpp>

namespace tombolo {

/// What one rank does before and after an exchange that makes B = A^T of A: it packs its part of A into a block for
/// each rank, in the order of the ranks, each as it will lie in B; and unpacks those that it receives, in the order of
/// their sources, into its part of B. Blocks that the exchange turns are transposed while they are packed; a run of
/// them that together are one rectangle is transposed by one call.
///
///     by rows, 2 + 1 of A, 2 + 2 of B     A = 1 2  3 4   on rank 0    which sends 3 7    and receives 9     and holds
///                                             5 6  7 8                            4 8                 10    1 5  9
///                                             9 10 11 12 on rank 1    and keeps 1 5 2 6                     2 6 10
///
/// Runs on one thread. Speed against a memcpy of as many bytes as the rank has (two cores of a shared Xeon, double, by
/// rows, by columns and in blocks alike): packing a matrix of 4096 on 1 or 2 ranks 1.2 to 1.4, of 8192 on 1 rank 0.76,
/// on 2 ranks 0.8 to 0.87, on 3 to 8 ranks 1.1 to 1.5; unpacking 0.8 to 1.4, with its own block as the whole 1.7 or
/// more. Above 1 it is because large parts are written past the caches, which memcpy only does from some 200 MB on.
class TransposeParts {
 public:
  TransposeParts(const TransposeExchange& exchange, Rank rank);

  /// Whether there is anything to pack: where not, A's memory is what is to be sent.
  bool packs() const { return packs_; }
  /// Whether there is anything to unpack: where not, what is received, or the block that was kept, is B's memory.
  bool unpacks() const { return unpacks_; }

  std::int64_t of_a() const { return of_a_; }  ///< elements that the rank has of A
  std::int64_t of_b() const { return of_b_; }
  std::int64_t kept() const { return kept_; }  ///< of the block for itself, where the exchange leaves that out; else 0

  /// send[0, of_a() - kept()) and own[0, kept()) from a[0, of_a()). None may overlap another.
  template <Element T>
  void pack(const T* a, T* send, T* own) const;

  /// b[0, of_b()) from received[0, of_b() - kept()) and own[0, kept()), which may lie at the end of b or behind it:
  /// where it stands then is only written once it has been read. received must not overlap b.
  template <Element T>
  void unpack(const T* received, const T* own, T* b) const;

 private:
  /// Rows and columns of memory: a rank's part is a matrix whose rows lie one after the other, in a layout by columns
  /// those of the transpose.
  struct Block {
    Part in_memory;       // of the matrix
    std::int64_t at = 0;  // where it begins among what is sent or received, or is kept
    bool is_own = false;  // kept
  };
  void find_packed(const TransposeExchange& exchange, Rank rank);
  void find_unpacked(const TransposeExchange& exchange, Rank rank);

  bool turns_ = false;
  bool packs_ = false;
  bool unpacks_ = false;
  std::int64_t of_a_ = 0;
  std::int64_t of_b_ = 0;
  std::int64_t kept_ = 0;
  Part a_;
  Part b_;
  std::vector<Block> packed_;    // in the order in which they are sent
  std::vector<Block> unpacked_;  // in the order of B's memory
};

}  // namespace tombolo
