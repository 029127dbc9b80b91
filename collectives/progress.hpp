#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include <tombolo/collectives/dependencies.hpp>

namespace tombolo {

/// Which steps of a schedule may start, and when it is done. The prover, the predictor and the executor all advance a
/// schedule through this one class, so what is proved and predicted is what is executed.
class Progress {
 public:
  /// Nothing to do, until restart().
  Progress() = default;
  explicit Progress(const Schedule& schedule);

  /// From the beginning, of these; they must outlive it. Takes no memory where it has had as much before.
  void restart(const Dependencies& dependencies);

  /// A step that may start now and has not been handed out yet, or no_step.
  StepId next();
  /// The step, handed out before, is complete.
  void complete(StepId id);
  bool done() const { return completed_ == size_; }
  bool started(StepId id) const { return started_[static_cast<std::size_t>(id)] != 0; }
  /// Whether all steps have been handed out.
  bool all_started() const { return taken_ == static_cast<std::size_t>(size_); }

 private:
  struct Lane {
    std::size_t head = 0;
    int under_way = 0;
  };
  void unblock(StepId id);
  void advance(std::int32_t which);

  std::shared_ptr<const Dependencies> own_;
  const Dependencies* dependencies_ = nullptr;
  int size_ = 0;
  std::vector<std::int32_t> waiting_;  // steps each one still waits for
  std::vector<Lane> lanes_;
  std::vector<StepId> ready_;
  std::size_t taken_ = 0;
  std::vector<std::uint8_t> started_;
  int completed_ = 0;
};

}  // namespace tombolo
