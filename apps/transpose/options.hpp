#pragma once

#include <cstdint>
#include <string>

#include <tombolo/framework/element_type.hpp>

#include "run/options.hpp"

namespace CLI {
class App;
}

namespace tombolo::transposition {

/// What the user asked for; the same on all ranks.
struct Options {
  std::string in;   ///< .npy file; a generated matrix if empty
  std::string out;  ///< where the transpose goes; nowhere if empty
  std::int64_t size = 0;
  std::int64_t m = 0;
  std::int64_t n = 0;
  std::uint64_t seed = 1;
  ElementType type = ElementType::float64;  ///< of a generated matrix
  RunOptions run;

  bool generated() const { return in.empty(); }
};

/// Adds them to a command.
void add_options(CLI::App& command, Options& options);

/// Fills in what was left to defaults and checks what the parser cannot see. Throws Error.
void complete(Options& options);

}  // namespace tombolo::transposition
