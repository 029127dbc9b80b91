#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <tombolo/units.hpp>

namespace tombolo {

/// What the computing times of earlier products say about ranks, beside speeds that were measured once: another program
/// may have run on the same cores then, or may run there now. In integers, so that all ranks agree.
class LearnedSpeeds {
 public:
  /// Returns the speeds by rank as the products so far correct them, at least 1.
  std::vector<FlopsPerSecond> of(std::vector<FlopsPerSecond> measured) const;
  /// A product in which rank r would have computed for expected[r] by of(), and has computed for taken[r]; ranks where
  /// either is 0 stay as they were. Only ratios among ranks count. Each product moves a rank by half of what it was
  /// off, the first one, which is compared with a short measurement, by two thirds: so what lasts for one product only
  /// does not count much.
  void note(std::span<const Picoseconds> expected, std::span<const Picoseconds> taken);

 private:
  std::vector<std::int64_t> slowness_;  // by rank, in millionths of the measured time; empty before the first product
};

}  // namespace tombolo
