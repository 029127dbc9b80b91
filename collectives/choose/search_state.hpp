#pragma once

#include <algorithm>
#include <cstdint>

#include <tombolo/collectives/predict/pipeline_time.hpp>

namespace tombolo {

/// The search state shared by the candidate algorithms of a request: the budget left for predictions, and the best time
/// so far. The budget is in messages, not in time, so that all ranks find the same plan.
class SearchState {
 public:
  enum class To {
    all,   ///< evaluate every candidate, within a large budget
    first  ///< stop a prediction once its candidate cannot win; its time stays unknown
  };
  /// Without a limit.
  SearchState() = default;
  /// Reserves half of the budget for close looks.
  explicit SearchState(To to);

  bool to_first() const { return to_ == To::first; }
  Fidelity quick_look() const;
  /// `own_best` is the best known time of the algorithm, or `never`.
  Fidelity close_look(Picoseconds own_best) const;

  /// pipeline_time() within the budget.
  Picoseconds predict(const Plan& plan, const Model& model, const Fidelity& look);
  /// Returns true if the last prediction stopped at its limit; false if it completed, or did not begin for lack of
  /// budget (then its time is `never`).
  bool gave_up() const { return gave_up_; }

  void looked(Picoseconds time) { quickest_ = std::min(quickest_, time); }
  void confirmed(Picoseconds time) { fastest_ = std::min(fastest_, time); }
  Picoseconds fastest() const { return fastest_; }
  /// Predictions that differ by less than one part in `alike` count as equal.
  static constexpr Picoseconds alike = 100;
  /// The longest time equal to the fastest one within `alike`.
  Picoseconds alike_fastest() const { return plus(fastest_, fastest_ / alike); }
  /// Releases the reserved half of the budget.
  void look_closely();

 private:
  To to_ = To::all;
  std::int64_t left_ = never;
  std::int64_t kept_ = 0;
  bool gave_up_ = false;
  Picoseconds quickest_ = never;  // over all quick looks
  Picoseconds fastest_ = never;   // over all close looks
};

}  // namespace tombolo
