#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <tombolo/collectives/dependencies.hpp>
#include <tombolo/collectives/plan.hpp>

namespace tombolo {

/// One rank's schedule and what carrying it out again and again needs to know of it. Never changes.
class PreparedSchedule {
 public:
  /// What is done before anything else may be: one step, or a send and a receive at a time.
  struct Round {
    StepId first = no_step;
    StepId second = no_step;
  };

  PreparedSchedule(Schedule schedule, Bytes element_bytes);

  const Schedule& schedule() const { return schedule_; }
  const Dependencies& dependencies() const { return dependencies_; }
  /// Messages of this rank to or from any one peer, at most.
  std::int64_t tags() const { return tags_; }
  /// Elements of the largest message.
  std::int64_t largest() const { return largest_; }
  /// Whether all steps are in rounds(), each of which comes after all of the one before, and every message is in one
  /// piece. Then blocking calls, one after the other, do just what the schedule says.
  bool in_rounds() const { return in_rounds_; }
  std::span<const Round> rounds() const { return rounds_; }

  /// Where a small message of several pieces is put together, or taken apart, if its elements can be copied: telling
  /// MPI of the pieces takes longer. It follows the schedule's own scratch. Of 0 elements for all others.
  Piece staged(StepId id) const {
    return staged_.empty() ? Piece{.buffer = Buffer::scratch} : staged_[static_cast<std::size_t>(id)];
  }
  /// Elements of scratch with all these, or 0 if there are none.
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
  std::vector<Piece> staged_;
  std::int64_t scratch_with_staged_ = 0;
};

/// A plan made ready on one rank: what it does first, which is to learn counts where it has to, and otherwise all.
struct PreparedPlan {
  PreparedPlan(Plan of, Rank on)
      : plan(std::move(of)), rank(on), first(plan.learns() ? learning() : all(plan.request().seen_by(rank))) {}

  PreparedSchedule learning() const { return {plan.learning(rank), sizeof(std::int64_t)}; }
  PreparedSchedule all(const Request& known) const {
    return {plan.schedule(rank, known), plan.request().element_bytes};
  }

  Plan plan;
  Rank rank;
  PreparedSchedule first;
};

}  // namespace tombolo
