#pragma once

#include <initializer_list>
#include <map>
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

  StepId send(Rank to, const Pieces& from, const How& how);
  StepId receive(Rank from, const Pieces& into, const How& how);
  StepId send(Rank to, const Pieces& from) { return send(to, from, How{}); }
  StepId receive(Rank from, const Pieces& into) { return receive(from, into, How{}); }
  StepId signal(Rank to, const std::vector<StepId>& after);
  StepId await(Rank from, const std::vector<StepId>& after);
  /// Nothing where both are the same.
  StepId copy(const Pieces& from, const Pieces& into);
  /// into = from (op) into.
  StepId reduce(const Pieces& from, const Pieces& into);

  /// A new lane with that window; 0 is no limit and gives lane 0.
  int lane(int window);
  /// So many more elements of scratch; returns where they begin.
  std::int64_t scratch(std::int64_t elements);

  /// Messages of a lane that has no more of them than its window are in lane 0 then.
  Schedule finish() &&;

 private:
  StepId add(Step step, const Pieces& from, const Pieces& into, const std::vector<StepId>& after);
  Step::Span keep(const Pieces& pieces);
  void leave_wide_lanes();

  Schedule::Parts parts_;
  Accesses accesses_;
  std::map<Rank, std::int32_t> sent_, received_;
  std::vector<StepId> waits_;
};

}  // namespace tombolo
