#pragma once

#include <initializer_list>
#include <span>
#include <vector>

#include <tombolo/collectives/accesses.hpp>
#include <tombolo/collectives/schedule.hpp>

namespace tombolo {

using Pieces = std::vector<Piece>;

/// Writes one rank's schedule. An algorithm lists its steps as a sequential program would do them; what must really
/// wait for what follows from the pieces they read and write, so that everything independent overlaps. `after` adds
/// order that no data carries (a barrier, a throttle).
///
/// Messages between two ranks are matched in the order in which each side lists them. A message of no elements is left
/// out on both sides; signal() and await() exchange empty messages on purpose.
///
///     ScheduleWriter w;
///     w.receive(parent, {{Buffer::output, 0, n}});
///     w.send(child, {{Buffer::output, 0, n}});      // starts when the receive is complete
///     Schedule mine = std::move(w).finish();
class ScheduleWriter {
 public:
  struct How {
    int lane = 0;
    std::vector<StepId> after{};
  };

  StepId send(Rank to, std::span<const Piece> from, const How& how);
  StepId receive(Rank from, std::span<const Piece> into, const How& how);
  StepId send(Rank to, std::span<const Piece> from) { return send(to, from, How{}); }
  StepId receive(Rank from, std::span<const Piece> into) { return receive(from, into, How{}); }
  StepId signal(Rank to, const std::vector<StepId>& after);
  StepId await(Rank from, const std::vector<StepId>& after);
  /// Nothing where both are the same.
  StepId copy(std::span<const Piece> from, std::span<const Piece> into);
  /// into = from (op) into.
  StepId reduce(std::span<const Piece> from, std::span<const Piece> into);

  // Pieces that are listed need no vector.
  using Listed = std::initializer_list<Piece>;
  StepId send(Rank to, Listed from, const How& how) { return send(to, std::span(from), how); }
  StepId receive(Rank from, Listed into, const How& how) { return receive(from, std::span(into), how); }
  StepId send(Rank to, Listed from) { return send(to, std::span(from), How{}); }
  StepId receive(Rank from, Listed into) { return receive(from, std::span(into), How{}); }
  StepId copy(Listed from, Listed into) { return copy(std::span(from), std::span(into)); }
  StepId copy(Listed from, std::span<const Piece> into) { return copy(std::span(from), into); }
  StepId copy(std::span<const Piece> from, Listed into) { return copy(from, std::span(into)); }
  StepId reduce(Listed from, Listed into) { return reduce(std::span(from), std::span(into)); }
  StepId reduce(Listed from, std::span<const Piece> into) { return reduce(std::span(from), into); }
  StepId reduce(std::span<const Piece> from, Listed into) { return reduce(from, std::span(into)); }

  /// A new lane with that window; 0 is no limit and gives lane 0.
  int lane(int window);
  /// So many more elements of scratch; returns where they begin.
  std::int64_t scratch(std::int64_t elements);

  /// Messages of a lane that has no more of them than its window are in lane 0 then.
  Schedule finish() &&;

 private:
  StepId add(Step step, std::span<const Piece> from, std::span<const Piece> into, std::span<const StepId> after);
  Step::Span keep(std::span<const Piece> pieces);
  static std::int32_t next_tag(std::vector<std::int32_t>& tags, Rank peer);
  void leave_wide_lanes();

  Schedule::Parts parts_;
  Accesses accesses_;
  std::vector<std::int32_t> sent_, received_;  // by peer, as far as there were any
  std::vector<StepId> waits_;
};

}  // namespace tombolo
