#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace tombolo::discovering {

/// What the user asks for; the same on all ranks.
struct Options {
  std::string output;  ///< where to write the platform; empty: where later runs on these hosts look for it
  double budget = 0;   ///< seconds; 0: by the number of hosts
  double precision = 0.02;
  double bound = 0.2;
  std::string levels;                ///< file; empty: TOMBOLO_LEVELS of every process
  int threads = 0;                   ///< of BLAS per rank; 0: as many as fit
  std::vector<std::string> kernels;  ///< to measure too; each known, none twice
};

void add_options(CLI::App& command, Options& options);

}  // namespace tombolo::discovering
