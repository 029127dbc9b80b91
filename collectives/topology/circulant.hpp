#pragma once

#include <cstdint>
#include <vector>

namespace tombolo {

/// A regular circulant graph over virtual ranks (places), and a broadcast of any number of blocks over it in the fewest
/// rounds in which a place sends one block and receives one: blocks - 1 + degree(). Traeff 2022, "(Poly)Logarithmic
/// Time Construction of Round-optimal n-Block Broadcast Schedules for Broadcast and Irregular Allgather in MPI"; 2024,
/// "Optimal Broadcast Schedules in Logarithmic Time".
///
/// In turn k of degree() turns, which repeat, every place sends to the place skip(k) further on. Read backwards, with
/// senders and receivers exchanged, the rounds of a broadcast are those of a reduction.
class Circulant {
 public:
  explicit Circulant(int places);

  int places() const { return skips_.back(); }
  /// ceil(log2(places)).
  int degree() const { return static_cast<int>(skips_.size()) - 1; }
  /// places halved, rounded up, as often as there are turns after and including this one; skip(degree()) is places.
  int skip(int turn) const { return skips_[static_cast<std::size_t>(turn)]; }
  /// The place `steps` further on, less than places() steps; backwards if negative.
  int further(int place, int steps) const;

  /// By turn, the block that a place receives in the first degree() rounds of a broadcast of many blocks from place 0.
  /// A negative block b is one of the next degree() rounds, in which it is b + degree(). Every place receives, in
  /// degree() rounds, one block that is not negative, its base block. Takes O(log places) steps.
  std::vector<int> received(int place) const;
  /// By turn, the block that a place sends, counted as in received(). Takes O(log^2 places) steps.
  std::vector<int> sent(int place) const;

  static constexpr std::int64_t nothing = -1;
  /// What one place does in one round.
  struct Round {
    int to = 0;
    int from = 0;
    std::int64_t sent = nothing;      ///< block
    std::int64_t received = nothing;  ///< block
    bool operator==(const Round&) const = default;
  };
  /// The rounds of one place in a broadcast of blocks 0 to `blocks` - 1 from place 0: none without blocks or for a
  /// single place. Every other place receives every block once, before it sends it.
  std::vector<Round> broadcast(int place, std::int64_t blocks) const;
  /// The rounds of all places, by place. Takes O(log places) steps for each round of a place.
  std::vector<std::vector<Round>> broadcasts(std::int64_t blocks) const;

 private:
  std::vector<Round> rounds(int place, std::int64_t blocks, const std::vector<int>& in,
                            const std::vector<int>& out) const;
  int base_block(int place) const;
  std::vector<int> skips_;
};

}  // namespace tombolo
