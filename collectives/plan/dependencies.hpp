#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <tombolo/collectives/plan/schedule.hpp>

namespace tombolo {

/// The inverse of a schedule's order and channels: the steps that each step enables. Built once per schedule and
/// immutable, so a further run (progress.hpp) only copies a few counters.
class Dependencies {
 public:
  /// Keeps no reference to the schedule.
  explicit Dependencies(const Schedule& schedule);

  int size() const { return static_cast<int>(waiting_.size()); }
  int channels() const { return static_cast<int>(windows_.size()); }
  /// Number of steps that each step waits for.
  const std::vector<std::int32_t>& waiting() const { return waiting_; }
  /// Steps that wait for no other step.
  const std::vector<StepId>& at_first() const { return at_first_; }
  std::span<const StepId> successors(StepId id) const { return part(successors_, first_successor_, id); }
  /// The messages of a channel with a window, in the order listed; empty for a channel without a window.
  std::span<const StepId> queue(std::int32_t channel) const { return part(queued_, first_queued_, channel); }
  int window(std::int32_t channel) const { return windows_[static_cast<std::size_t>(channel)]; }
  /// The channel whose window may delay the step, or -1.
  std::int32_t channel(StepId id) const { return channel_[static_cast<std::size_t>(id)]; }

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
  std::vector<std::int32_t> channel_;
};

}  // namespace tombolo
