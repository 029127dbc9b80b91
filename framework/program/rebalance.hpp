#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include <tombolo/framework/program/division.hpp>

namespace tombolo {

/// What was seen of a loop since the last look.
struct Passes {
  std::int64_t count = 0;
  double each_s = 0;                    ///< what a pass took, waiting and all
  std::span<const double> computing_s;  ///< of each member, of all these passes
};

/// Decides when shares that have become uneven are to change: once what was lost by them since they were chosen is as
/// much as moving the data would take. Whatever comes after, that costs at most twice what knowing it would have (as in
/// renting or buying skis, Karlin et al. 1988). A change after which passes take longer is taken back, and the next one
/// waits, twice as long each time: speeds are not always what they seem, as of a processor with a quota, which is fast
/// until that is used up.
class Rebalance {
 public:
  explicit Rebalance(const DeclaredSlices& slices) : slices_(slices) {}

  /// The new shares, where they are to change; `move_s` is the seconds that this takes. Members without items get none.
  std::optional<Division> look(const Division& now, const Passes& passes,
                               const std::function<double(const Division&)>& move_s);

 private:
  std::optional<Division> improved(const Division& now, const Passes& passes);

  const DeclaredSlices& slices_;
  // What each member did and took, of which every look forgets half: a moment's trouble is no speed.
  std::vector<double> work_;
  std::vector<double> seconds_;
  double lost_ = 0;                 // seconds, since shares were chosen
  std::optional<Division> before_;  // the last change, which is to be judged
  double each_before_ = 0;          // what a pass took then
  double each_last_ = 0;
  int waits_ = 0;  // looks
  int next_wait_ = 4;
};

}  // namespace tombolo
