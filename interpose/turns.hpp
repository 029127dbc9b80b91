#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <tombolo/units.hpp>

namespace tombolo::interpose {

/// Whether a plan has this turn, where native and planned calls take turns: by the Thue-Morse sequence. It has no
/// period, and of four or eight turns half are planned, at even and at odd places alike: a program of one call after a
/// long computation and one after a short one gets each of them both ways.
bool is_planned_turn(std::size_t turn);

/// Native and planned calls whose sizes not all ranks know take turns, until calls of like sizes can be compared. Each
/// rank notes its own bytes and time of every call; after a round of calls the ranks take the largest of both, and
/// decide alike.
class Turns {
 public:
  enum class Verdict : std::uint8_t { open, planned, native };

  /// Whether the next call is a planned one, while the verdict is open. The same on all ranks.
  bool planned_next() const;
  /// Notes a call, which was native or planned as planned_next() said before.
  void note(Bytes bytes, Picoseconds taken);
  /// True after the last call of a round: the ranks now compare.
  bool due() const;
  /// Bytes and times of the round, to be replaced by the largest of all ranks.
  std::span<std::int64_t> round();
  /// Decides from all rounds, or leaves it open for one more; native at last. After due() and round().
  void compare();

  Verdict verdict() const { return verdict_; }
  /// The sums of the least times of each size that was carried out both ways; 0 if there is none.
  Picoseconds native() const { return native_; }
  Picoseconds planned() const { return planned_; }

 private:
  std::vector<std::int64_t> noted_{};  // bytes, time, bytes, time, ...
  std::size_t compared_ = 0;           // numbers in front that all ranks have compared
  Verdict verdict_ = Verdict::open;
  Picoseconds native_ = 0;
  Picoseconds planned_ = 0;
};

}  // namespace tombolo::interpose
