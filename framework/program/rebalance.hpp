#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include <tombolo/framework/program/division.hpp>

namespace tombolo {

/// Decides when shares that have become uneven are to change: once what was lost by them since they were chosen is as
/// much as moving the data would take. Whatever comes after, that costs at most twice what knowing it would have (as in
/// renting or buying skis, Karlin et al. 1988).
class Rebalance {
 public:
  /// What is gained by less, as a part of the time of a pass, is not worth a change.
  static constexpr double least_gain = 0.05;

  explicit Rebalance(const DeclaredSlices& slices) : slices_(slices) {}

  /// Members took so many seconds of computing, each for all its items `passes` times, since the last look. The new
  /// shares, where they are to change; `move_s` is what that takes for given shares. Members without items keep none.
  template <class MoveSeconds>
  std::optional<Division> look(const Division& now, std::span<const double> seconds, std::int64_t passes,
                               MoveSeconds move_s) {
    const auto better = improved(now, seconds, passes);
    if (!better || lost_ < move_s(*better)) return std::nullopt;
    lost_ = 0;
    return better;
  }

 private:
  std::optional<Division> improved(const Division& now, std::span<const double> seconds, std::int64_t passes);

  const DeclaredSlices& slices_;
  double lost_ = 0;  // seconds, since shares were chosen
};

}  // namespace tombolo
