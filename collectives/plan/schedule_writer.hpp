#pragma once

#include <initializer_list>
#include <span>
#include <vector>

#include <tombolo/collectives/plan/accesses.hpp>
#include <tombolo/collectives/plan/schedule.hpp>

namespace tombolo {

using BufferRanges = std::vector<BufferRange>;

/// Writes one rank's schedule. An algorithm lists its steps as in a sequential program; the dependences follow from the
/// buffer ranges read and written, so independent steps overlap. `after` adds order without data (a barrier, a
/// throttle).
///
/// Messages between two ranks are matched in the order listed on each side. Messages of no elements are omitted on both
/// sides; signal() and await() exchange empty messages on purpose.
///
///     ScheduleWriter w;
///     w.receive(parent, {{Buffer::output, 0, n}});
///     w.send(child, {{Buffer::output, 0, n}});      // starts when the receive is complete
///     Schedule mine = std::move(w).finish();
class ScheduleWriter {
 public:
  struct How {
    int channel = 0;
    std::vector<StepId> after{};
  };

  StepId send(Rank to, std::span<const BufferRange> from, const How& how);
  StepId receive(Rank from, std::span<const BufferRange> into, const How& how);
  StepId send(Rank to, std::span<const BufferRange> from) { return send(to, from, How{}); }
  StepId receive(Rank from, std::span<const BufferRange> into) { return receive(from, into, How{}); }
  StepId signal(Rank to, const std::vector<StepId>& after);
  StepId await(Rank from, const std::vector<StepId>& after);
  /// into = from. No step if the two are equal.
  StepId copy(std::span<const BufferRange> from, std::span<const BufferRange> into);
  /// into = from (op) into.
  StepId reduce(std::span<const BufferRange> from, std::span<const BufferRange> into);

  // Overloads for braced lists, which need no vector.
  using Listed = std::initializer_list<BufferRange>;
  StepId send(Rank to, Listed from, const How& how) { return send(to, std::span(from), how); }
  StepId receive(Rank from, Listed into, const How& how) { return receive(from, std::span(into), how); }
  StepId send(Rank to, Listed from) { return send(to, std::span(from), How{}); }
  StepId receive(Rank from, Listed into) { return receive(from, std::span(into), How{}); }
  StepId copy(Listed from, Listed into) { return copy(std::span(from), std::span(into)); }
  StepId copy(Listed from, std::span<const BufferRange> into) { return copy(std::span(from), into); }
  StepId copy(std::span<const BufferRange> from, Listed into) { return copy(from, std::span(into)); }
  StepId reduce(Listed from, Listed into) { return reduce(std::span(from), std::span(into)); }
  StepId reduce(Listed from, std::span<const BufferRange> into) { return reduce(std::span(from), into); }
  StepId reduce(std::span<const BufferRange> from, Listed into) { return reduce(from, std::span(into)); }

  /// Opens a channel with that window; 0 is no limit and returns channel 0.
  int channel(int window);
  /// Reserves `elements` of scratch; returns the offset of the first.
  std::int64_t scratch(std::int64_t elements);

  /// Returns the schedule. Messages of a channel with no more messages than its window move to channel 0.
  Schedule finish() &&;

 private:
  StepId add(Step step, std::span<const BufferRange> from, std::span<const BufferRange> into,
             std::span<const StepId> after);
  Step::Span keep(std::span<const BufferRange> pieces);
  static std::int32_t next_tag(std::vector<std::int32_t>& tags, Rank peer);
  void leave_wide_lanes();

  Schedule::Parts parts_;
  Accesses accesses_;
  std::vector<std::int32_t> sent_, received_;  // by peer, up to the largest peer used
  std::vector<StepId> waits_;
};

}  // namespace tombolo
