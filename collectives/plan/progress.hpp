#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include <tombolo/collectives/plan/schedule.hpp>

namespace tombolo {

/// The inverse of a schedule's order and channels: the steps that each step enables. Built once per schedule and
/// immutable, so a further run (progress.hpp) only copies a few counters.
class Dependencies {
 public:
  /// Keeps no reference to the schedule.
  explicit Dependencies(const Schedule& schedule) : Dependencies(std::span(&schedule, 1)) {}
  /// Of several schedules as one, whose steps are numbered consecutively.
  explicit Dependencies(std::span<const Schedule> schedules);

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

/// Progress of a schedule: steps ready to start, and completion. The prover, the predictor and the executor all advance
/// a schedule with this class, so the proved, predicted and executed orders agree.
class Progress {
 public:
  /// Without steps until restart().
  Progress() = default;
  explicit Progress(const Schedule& schedule);

  /// Restarts with `dependencies`, which must outlive this object. Reuses memory of earlier runs.
  void restart(const Dependencies& dependencies);

  /// Returns the next step that may start, once each, or no_step.
  StepId next();
  /// Marks a step that next() returned as complete.
  void complete(StepId id);
  bool done() const { return completed_ == size_; }
  bool started(StepId id) const { return started_[static_cast<std::size_t>(id)] != 0; }
  /// True if next() has returned all steps.
  bool all_started() const { return taken_ == static_cast<std::size_t>(size_); }

 private:
  struct Channel {
    std::size_t head = 0;
    int under_way = 0;
  };
  void unblock(StepId id);
  void advance(std::int32_t which);

  std::shared_ptr<const Dependencies> own_;
  const Dependencies* dependencies_ = nullptr;
  int size_ = 0;
  std::vector<std::int32_t> waiting_;  // number of incomplete steps that each step waits for
  std::vector<Channel> channels_;
  std::vector<StepId> ready_;
  std::size_t taken_ = 0;
  std::vector<std::uint8_t> started_;
  int completed_ = 0;
};

}  // namespace tombolo
