#pragma once

#include <map>
#include <string>

#include <tombolo/collectives/operation.hpp>
#include <tombolo/platform/units.hpp>

namespace tombolo {

/// One way of carrying out a collective that was timed, and what the models say of it.
struct Sample {
  std::string scope;  ///< whose ranks took part: of a logical cluster, "between clusters", "all"
  Operation operation = Operation::barrier;
  std::string algorithm;
  Bytes segment = 0;  ///< Parameters::segment_bytes
  int ranks = 0;
  Rank root = 0;
  Bytes bytes = 0;  ///< in the vector of bcast and reduce, else in one rank's or one pair's block
  Picoseconds measured = 0;
  std::map<std::string, Picoseconds> predicted = {};  ///< by model
};

}  // namespace tombolo
