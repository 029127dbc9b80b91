#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <tombolo/framework/program/outlook.hpp>

namespace tombolo {

/// What a program took, as all ranks know it after the run. Seconds.
struct Recorded {
  double seconds = 0;                           ///< from the common start to the end of the last rank
  std::vector<double> added;                    ///< by each task: from the latest end of what came before to its own
  std::vector<std::int64_t> passes;             ///< of each loop
  std::vector<std::int64_t> changes;            ///< of shares, in each loop
  std::vector<std::vector<double>> computing;   ///< of each member, in each task that computes
  std::vector<std::vector<double>> spent;       ///< by each member in each task, waiting included
  std::vector<std::vector<double>> operations;  ///< that it did there, as declared
};

}  // namespace tombolo
