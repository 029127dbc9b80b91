#pragma once

#include <optional>
#include <string>
#include <vector>

#include <tombolo/collectives/choose/tuning.hpp>

namespace tombolo::tuning {

/// The decision about one cell, and the plans that it was made from.
struct Outcome {
  Decision decision;
  std::string how;  ///< the plan of the decision
  std::vector<Candidate> contenders;
  std::vector<Picoseconds> measured;  ///< of each contender; empty where nothing was measured
};

/// The ranks and the platform of the decisions.
struct Setting {
  int ranks = 1;
  std::string platform;  ///< where it came from
  bool measured = false;
};

std::string to_text(const std::vector<Outcome>& outcomes, const Setting& setting);
std::string to_csv(const std::vector<Outcome>& outcomes, const Setting& setting);
std::string to_json(const std::vector<Outcome>& outcomes, const Setting& setting);

}  // namespace tombolo::tuning
