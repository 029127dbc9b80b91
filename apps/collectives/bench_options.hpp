#pragma once

#include <string>
#include <vector>

#include <tombolo/collectives/request/regular.hpp>
#include <tombolo/units.hpp>

#include "algorithm_options.hpp"
#include "collectives/timing_options.hpp"

namespace tombolo::benchmarking {

/// The options.
struct Options {
  std::string operations;  ///< "bcast,reduce", "all"
  std::string bytes = "64:4M:x4";
  Counts counts = Counts::equal;
  std::vector<std::string> implementations = {"native", "tombolo"};
  std::string algorithm = "best";  ///< best, all, or a name
  int variants = 1;                ///< of each algorithm, the best by prediction
  StatedParameters stated;         ///< of each algorithm; the others are chosen by prediction
  MappingOptions mapping;
  bool no_detours = false;
  std::string root = "0";  ///< a rank, all, rotate, or turns
  std::string platform;
  std::string model;
  std::string tuning;
  Repeat repeat{.least = 5, .most = 100, .precision = 0.025};
  bool check = false;
  bool keep_times = false;
  std::string plots;
  Format format = Format::text;

  /// Whether settings of the algorithm are stated.
  bool states() const { return stated.any() || mapping.any(); }
  /// Whether the plan is the one that a program would be given.
  bool as_chosen() const { return algorithm == "best" && variants == 1 && !states(); }
};

/// Adds them to a command.
void add_options(CLI::App& command, Options& options);

}  // namespace tombolo::benchmarking
