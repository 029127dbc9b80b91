#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <tombolo/units.hpp>

namespace tombolo::interpose {

/// A call of a program: on this rank by its own clock, or the largest of each number of all ranks by one clock.
struct TimedCall {
  Bytes bytes = 0;  ///< 0 where all ranks know the size
  Picoseconds entered = 0;
  Picoseconds left = 0;

  Picoseconds taken() const { return left - entered; }
};

/// Whether a plan has this turn, where native and planned calls take turns: by the Thue-Morse sequence. It has no
/// period, and of four or eight turns half are planned, at even and at odd places alike: a program of one call after a
/// long computation and one after a short one gets each of them both ways.
bool is_planned_turn(std::size_t turn);

/// Native and planned calls whose sizes not all ranks know take turns, until calls of like sizes can be compared. Each
/// rank notes its own bytes and times of every call; after a round of calls the ranks take the largest of each, and
/// decide alike: a call takes from the last rank's entry to the last one's end.
class Turns {
 public:
  enum class Verdict : std::uint8_t { open, planned, native };

  /// Whether the next call is a planned one, while the verdict is open. The same on all ranks.
  bool planned_next() const;
  /// Notes a call, which was native or planned as planned_next() said before.
  void note(const TimedCall& call);
  /// True after the last call of a round: the ranks now compare.
  bool due() const;
  /// The calls of the round, to be replaced by the largest numbers of all ranks.
  std::span<TimedCall> round();
  /// Decides from all rounds, or leaves it open for one more; native at last. After due() and round().
  void compare();

  Verdict verdict() const { return verdict_; }
  /// The sums of the least times of each size that was carried out both ways; 0 if there is none.
  Picoseconds native() const { return native_; }
  Picoseconds planned() const { return planned_; }

 private:
  std::vector<TimedCall> noted_{};
  std::size_t compared_ = 0;  // in front, by all ranks
  Verdict verdict_ = Verdict::open;
  Picoseconds native_ = 0;
  Picoseconds planned_ = 0;
};

}  // namespace tombolo::interpose
