#pragma once

#include <algorithm>
#include <cstdint>

#include <tombolo/collectives/choose/choose.hpp>
#include <tombolo/collectives/predict/pipeline_time.hpp>

namespace tombolo {

/// What more messages cost outside every model where ranks share the processors and the card of a host: one part in so
/// many of the time of a plan in segments, when plans are compared.
constexpr Picoseconds segments_cost = 32;

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
  /// With the budget for a request of so many ranks, of which half is reserved for close looks.
  SearchState(To to, int ranks);

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
  Picoseconds alike_fastest() const { return alike_to(fastest_); }
  /// Begins a round of algorithms, with the whole budget again.
  void begin();
  /// Begins looks at orders of ranks, with a quarter of the budget beside it, or ends them.
  void begin_orders();
  void end_orders() { left_ = before_orders_; }
  /// Releases the reserved half of the budget.
  void look_closely();
  /// Adds a budget for detours.
  void look_at_detours();
  /// True if the budget suffices for a close look at a plan of whole messages that take detours.
  bool affords_detours(const Plan& direct) const;
  /// Returns true while most of the budget is left.
  bool cheap() const { return left_ > all_ / 4 * 3; }

 private:
  To to_ = To::all;
  std::int64_t all_ = never;
  std::int64_t left_ = never;
  std::int64_t kept_ = 0;
  std::int64_t before_orders_ = 0;
  bool gave_up_ = false;
  Picoseconds quickest_ = never;  // over all quick looks
  Picoseconds fastest_ = never;   // over all close looks
};

}  // namespace tombolo
