#pragma once

#include <cstdint>
#include <vector>

#include <tombolo/collectives/schedule.hpp>

namespace tombolo {

/// Which steps of a schedule may start, and when it is done. The prover, the predictor and the executor all advance a
/// schedule through this one class, so what is proved and predicted is what is executed.
class Progress {
 public:
  explicit Progress(const Schedule& schedule);

  /// A step that may start now and has not been handed out yet, or no_step.
  StepId next();
  /// The step, handed out before, is complete.
  void complete(StepId id);
  bool done() const { return completed_ == schedule_->size(); }
  bool started(StepId id) const { return started_[static_cast<std::size_t>(id)] != 0; }

 private:
  struct Lane {
    std::vector<StepId> queue;
    std::size_t head = 0;
    int under_way = 0;
  };
  void unblock(StepId id);
  void advance(Lane& lane, int window);

  const Schedule* schedule_;
  std::vector<std::int32_t> waiting_;  // steps each one still waits for
  std::vector<std::int32_t> first_;    // successors of step s: successors_[first_[s], first_[s + 1])
  std::vector<StepId> successors_;
  std::vector<Lane> lanes_;
  std::vector<StepId> ready_;
  std::size_t taken_ = 0;
  std::vector<std::uint8_t> started_;
  int completed_ = 0;
};

}  // namespace tombolo
