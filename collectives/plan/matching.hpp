#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include <tombolo/collectives/plan/schedule.hpp>

namespace tombolo {

/// A step of one rank.
struct StepOf {
  Rank rank = -1;
  StepId step = no_step;
  bool operator==(const StepOf&) const = default;
};

/// Matches the send and the receive of each message over the schedules of all ranks.
class Matching {
 public:
  /// Messages that do not match leave steps without a partner; fault() describes the first.
  explicit Matching(std::span<const Schedule> schedules);

  /// The other side of a message; {-1, no_step} for other steps and unmatched messages.
  StepOf partner(Rank rank, StepId step) const {
    return partners_[first_[static_cast<std::size_t>(rank)] + static_cast<std::size_t>(step)];
  }
  const std::optional<std::string>& fault() const { return fault_; }

 private:
  std::vector<std::size_t> first_;  // by rank: index of its first step
  std::vector<StepOf> partners_;
  std::optional<std::string> fault_;
};

/// Describes a step for error messages: "step 3 of rank 5, send of 100 elements to rank 2,".
std::string describe(const Schedule& schedule, Rank rank, StepId id);

}  // namespace tombolo
