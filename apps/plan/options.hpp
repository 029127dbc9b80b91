#pragma once

#include <cstdint>
#include <string>

#include <tombolo/platform/units.hpp>

#include "mapping_options.hpp"
#include "parameter_options.hpp"

namespace CLI {
class App;
}

namespace tombolo::planning {

/// What the user asked for.
struct Options {
  std::string operation;
  std::string platform;   ///< file; empty: equal links
  std::string hosts;      ///< host file for a description
  std::string model;      ///< empty: the one that is believed
  std::string tuning;     ///< file; empty: nothing was decided
  std::string algorithm;  ///< empty: the one predicted to be fastest
  Bytes bytes = 1 << 20;
  StatedParameters stated;  ///< of the algorithm
  MappingOptions mapping;
  int ranks = 8;
  Rank root = 0;
  Rank rank = -1;  ///< whose steps are shown; -1: the whole
  double latency_us = 50;
  double rate_mb = 125;
  bool json = false;
};

/// Adds them to a command.
void add_options(CLI::App& command, Options& options);

}  // namespace tombolo::planning
