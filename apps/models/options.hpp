#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace tombolo::modelling {

enum class Format { text, csv, json };

/// What the user asked for.
struct Options {
  std::string platform;  ///< file; empty: the one of these hosts
  std::string output;
  std::string plots;                    ///< folder; empty: none are drawn
  std::vector<std::string> models;      ///< empty: all
  std::vector<std::string> operations;  ///< empty: all
  std::string bytes = "64:4M:x4";
  Format format = Format::text;
  bool anew = false;
  bool serial = false;
  bool estimate_only = false;
  bool no_thresholds = false;
};

/// Adds them to a command.
void add_options(CLI::App& command, Options& options);

}  // namespace tombolo::modelling
