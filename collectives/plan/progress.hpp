#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include <tombolo/collectives/plan/dependencies.hpp>

namespace tombolo {

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
