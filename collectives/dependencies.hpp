#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <tombolo/collectives/schedule.hpp>

namespace tombolo {

/// What a schedule's orders and lanes say, turned round: which steps each step lets start. Made once for a schedule and
/// never changed, so that running it again (progress.hpp) takes a copy of a few counters.
class Dependencies {
 public:
  /// Copies what it needs of the schedule.
  explicit Dependencies(const Schedule& schedule);

  int size() const { return static_cast<int>(waiting_.size()); }
  int lanes() const { return static_cast<int>(windows_.size()); }
  /// For how many steps each step waits.
  const std::vector<std::int32_t>& waiting() const { return waiting_; }
  /// The steps that may be started at once.
  const std::vector<StepId>& at_first() const { return at_first_; }
  std::span<const StepId> successors(StepId id) const { return part(successors_, first_successor_, id); }
  /// The messages of a lane with a window, in the order listed; none of a lane without.
  std::span<const StepId> queue(std::int32_t lane) const { return part(queued_, first_queued_, lane); }
  int window(std::int32_t lane) const { return windows_[static_cast<std::size_t>(lane)]; }
  /// The lane that holds the step back, or -1.
  std::int32_t lane(StepId id) const { return lane_[static_cast<std::size_t>(id)]; }

 private:
  static std::span<const StepId> part(const std::vector<StepId>& all, const std::vector<std::int32_t>& first,
                                      std::int32_t of) {
    const auto begin = static_cast<std::size_t>(first[static_cast<std::size_t>(of)]);
    const auto end = static_cast<std::size_t>(first[static_cast<std::size_t>(of) + 1]);
    return std::span<const StepId>(all).subspan(begin, end - begin);
  }

  std::vector<std::int32_t> waiting_;
  std::vector<StepId> at_first_;
  std::vector<StepId> successors_;
  std::vector<std::int32_t> first_successor_;
  std::vector<StepId> queued_;
  std::vector<std::int32_t> first_queued_;
  std::vector<int> windows_;
  std::vector<std::int32_t> lane_;
};

}  // namespace tombolo
