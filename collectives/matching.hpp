#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include <tombolo/collectives/schedule.hpp>

namespace tombolo {

/// A step of a rank.
struct StepOf {
  Rank rank = -1;
  StepId step = no_step;
  bool operator==(const StepOf&) const = default;
};

/// Which send and which receive are the two sides of one message, over the schedules of all ranks.
class Matching {
 public:
  /// Schedules whose messages do not match leave steps without a partner; fault() says which.
  explicit Matching(std::span<const Schedule> schedules);

  /// The other side of a message; {-1, no_step} for other steps and where there is none.
  StepOf partner(Rank rank, StepId step) const {
    return partners_[static_cast<std::size_t>(rank)][static_cast<std::size_t>(step)];
  }
  const std::optional<std::string>& fault() const { return fault_; }

 private:
  std::vector<std::vector<StepOf>> partners_;
  std::optional<std::string> fault_;
};

/// "send 3 of rank 5 to rank 2 (100 elements)", for messages about schedules.
std::string describe(const Schedule& schedule, Rank rank, StepId id);

}  // namespace tombolo
