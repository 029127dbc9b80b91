#pragma once

#include <string>

#include "timing/options.hpp"

namespace tombolo::tuning {

/// What the user asked for.
struct Options {
  std::string operations = "all";
  std::string bytes = "64:1M:x4";
  std::string root = "0";  ///< a rank, or all
  std::string platform;
  std::string hosts;  ///< host file for a SimGrid description
  std::string model;
  std::string output;
  bool update = false;
  int candidates = 5;  ///< algorithms that are looked at closely
  Repeat repeat{.least = 5, .most = 50, .precision = 0.025};
  Format format = Format::text;
};

/// Adds them to a command.
void add_options(CLI::App& command, Options& options);

}  // namespace tombolo::tuning
