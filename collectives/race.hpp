#pragma once

#include <algorithm>
#include <cstdint>

#include <tombolo/collectives/pipeline_time.hpp>

namespace tombolo {

/// What the algorithms that compete for a request share while their settings are looked at: what may still be spent on
/// predictions, and the best time so far. Spending is counted in messages, never in time, so that all ranks find the
/// same.
class Race {
 public:
  enum class To {
    all,   ///< everything is looked at, within a wide limit
    first  ///< what can no longer win is given up in the middle of a prediction: nothing is known of its time then
  };
  /// Without a limit.
  Race() = default;
  /// Half of what may be spent is kept for close looks.
  explicit Race(To to);

  bool to_first() const { return to_ == To::first; }
  Look quick_look() const;
  /// For an algorithm of which that is the best that is known, or `never`.
  Look close_look(Picoseconds own_best) const;

  /// pipeline_time() within what may be spent.
  Picoseconds predict(const Plan& plan, const Model& model, const Look& look);
  /// Whether the last prediction was given up at its limit; else it was not begun where it is `never`.
  bool gave_up() const { return gave_up_; }

  void looked(Picoseconds time) { quickest_ = std::min(quickest_, time); }
  void confirmed(Picoseconds time) { fastest_ = std::min(fastest_, time); }
  Picoseconds fastest() const { return fastest_; }
  /// Predictions that differ by less than one part in so many say nothing.
  static constexpr Picoseconds alike = 100;
  /// The longest time that is alike the fastest.
  Picoseconds alike_fastest() const { return plus(fastest_, fastest_ / alike); }
  /// From now on what was kept may be spent too.
  void look_closely();

 private:
  To to_ = To::all;
  std::int64_t left_ = never;
  std::int64_t kept_ = 0;
  bool gave_up_ = false;
  Picoseconds quickest_ = never;  // of all quick looks
  Picoseconds fastest_ = never;   // of all that is confirmed
};

}  // namespace tombolo
