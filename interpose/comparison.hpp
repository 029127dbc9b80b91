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

/// Native and planned calls take turns, in rounds of eight; the faster way then has the calls that follow. Each rank
/// notes its own bytes and times. After a round the ranks take the largest of each and decide alike: a call takes from
/// the last rank's entry to the last one's end.
class Comparison {
 public:
  enum class Turns : std::uint8_t {
    repeated,     ///< one round after two planned calls, which make connections; and again, ever less often
    until_alike,  ///< rounds until calls of like sizes went both ways, where not all ranks know the sizes
    endless       ///< no round ends: each rank keeps its own least times (TOMBOLO_COMPARE=1)
  };
  /// `half_may_do`: a repeated round ends after half of its calls if the ways are far apart.
  explicit Comparison(Turns turns, bool half_may_do = false);

  /// Begins a call. Returns true if it is a planned one: the same on all ranks.
  bool begin_call();
  /// True if the call that was begun last is a turn, so that no comparison has decided about it.
  bool in_turn() const { return in_turn_; }
  /// Notes the call that was begun last. One that fails is not noted: it takes no time.
  void note(const TimedCall& call);
  /// After the last call of a round: its calls, to be replaced by the largest numbers of all ranks, which decide()
  /// then. Else empty.
  std::span<TimedCall> round();
  void decide();

  /// The time of a native and of a planned call: medians of the last round that decided; of sizes that not all ranks
  /// know, sums of the least times of each size that went both ways. 0 if there is none yet.
  double native_seconds() const { return native_seconds_; }
  double planned_seconds() const { return planned_seconds_; }

 private:
  void conclude(bool native, std::int64_t wait);

  Turns turns_;
  bool half_may_do_;
  bool in_turn_ = false;
  bool native_ = false;           // was faster
  std::int64_t wait_;             // calls before the next turn
  std::int64_t waited_ = 0;       // between the last two rounds that decided
  std::size_t turn_ = 0;          // number of turns since the last decision
  std::vector<TimedCall> calls_;  // those turns
  std::size_t compared_ = 0;      // in front, by all ranks
  double native_seconds_ = 0;
  double planned_seconds_ = 0;
};

}  // namespace tombolo::interpose
