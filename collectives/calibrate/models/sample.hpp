#pragma once

#include <map>
#include <string>

#include <tombolo/collectives/request/operation.hpp>
#include <tombolo/platform/units.hpp>

namespace tombolo {

/// A timed run of a collective, and its predicted times.
struct Sample {
  std::string scope;  ///< of the ranks: a logical cluster, "between clusters", "all"
  Operation operation = Operation::barrier;
  std::string algorithm;
  Bytes segment = 0;  ///< Parameters::segment_bytes
  int ranks = 0;
  Rank root = 0;
  Bytes bytes = 0;  ///< as in regular_request()
  Picoseconds measured = 0;
  std::map<std::string, Picoseconds> predicted = {};  ///< by model
};

}  // namespace tombolo
