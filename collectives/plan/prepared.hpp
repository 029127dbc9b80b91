#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include <tombolo/collectives/plan/plan.hpp>
#include <tombolo/collectives/plan/progress.hpp>

namespace tombolo {

/// One rank's schedule with data derived for repeated execution. Immutable.
class PreparedSchedule {
 public:
  /// One step, or a send and a receive at the same time, to complete before the next round.
  struct Round {
    StepId first = no_step;
    StepId second = no_step;
  };

  PreparedSchedule(Schedule schedule, Bytes element_bytes);

  const Schedule& schedule() const { return schedule_; }
  const Dependencies& dependencies() const { return dependencies_; }
  /// The most messages of this rank to or from one peer.
  std::int64_t tags() const { return tags_; }
  /// Elements of the largest message.
  std::int64_t largest() const { return largest_; }
  /// Returns true if all steps are in rounds(), each round depends on all of the previous one, and every message is one
  /// buffer range. Then blocking calls in sequence execute the schedule exactly.
  bool in_rounds() const { return in_rounds_; }
  std::span<const Round> rounds() const { return rounds_; }

  /// Returns the scratch that packs a small message of several buffer ranges, for elements that can be copied: a
  /// derived datatype takes longer. Follows the schedule's own scratch. 0 elements for all other steps.
  BufferRange staged(StepId id) const {
    return staged_.empty() ? BufferRange{.buffer = Buffer::scratch} : staged_[static_cast<std::size_t>(id)];
  }
  /// Elements of scratch, packing included, or 0 without packing.
  std::int64_t scratch_with_staged() const { return scratch_with_staged_; }

 private:
  void find_rounds();
  void stage(Bytes element_bytes);
  bool follows(StepId id, const Round& round) const;
  bool makes_pair(StepId first, StepId second) const;

  Schedule schedule_;
  Dependencies dependencies_;
  std::int64_t tags_ = 0;
  std::int64_t largest_ = 0;
  bool in_rounds_ = false;
  std::vector<Round> rounds_;
  std::vector<BufferRange> staged_;
  std::int64_t scratch_with_staged_ = 0;
};

/// A plan prepared on one rank, with its first schedule: the learning schedule if the plan learns counts, else the
/// whole.
struct PreparedPlan {
  PreparedPlan(Plan of, Rank on)
      : plan(std::move(of)), rank(on), first(plan.learns() ? learning() : all(plan.request().seen_by(rank))) {}

  PreparedSchedule learning() const { return {plan.learning(rank), sizeof(std::int64_t)}; }
  PreparedSchedule all(const Request& known) const {
    return {plan.schedule(rank, known), plan.request().element_bytes};
  }
  /// The schedule after learning, for the counts known then (Blocks::unknown for others). Kept for calls that learn the
  /// same counts.
  std::shared_ptr<const PreparedSchedule> learned(const std::vector<std::int64_t>& counts) const;

  Plan plan;
  Rank rank;
  PreparedSchedule first;

 private:
  mutable std::vector<std::int64_t> counts_{};
  mutable std::shared_ptr<const PreparedSchedule> learned_{};
};

}  // namespace tombolo
