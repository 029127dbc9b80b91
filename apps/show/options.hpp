#pragma once

#include <string>

namespace CLI {
class App;
}

namespace tombolo::showing {

/// As what a platform is shown.
enum class Format { text, json, simgrid, hosts, svg };

/// What the user asked for.
struct Options {
  std::string file;
  std::string hosts;   ///< host file for a description; empty: one rank on each host
  std::string output;  ///< empty: the standard output
  Format format = Format::text;
};

/// Adds them to a command.
void add_options(CLI::App& command, Options& options);

}  // namespace tombolo::showing
