#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <tombolo/matrix.hpp>
#include <tombolo/units.hpp>

#include "option_group.hpp"
#include "run/options.hpp"
#include "run/recording.hpp"

namespace CLI {
class App;
}

namespace tombolo::matmul {

/// How the work is divided: rows of C with all of B everywhere, rectangles of C, or what is predicted to be the
/// fastest.
enum class Method { best, rows, columns };

/// The place of A and B before the product, and of C after it: the root, or parts on all ranks.
enum class Held { root, distributed };

/// The options; the same on all ranks.
struct Options {
  std::string a;  ///< .npy files; generated matrices where empty
  std::string b;
  std::string c;  ///< where the product goes; nowhere if empty
  std::int64_t size = 0;
  std::int64_t m = 0;
  std::int64_t n = 0;
  std::int64_t k = 0;
  std::uint64_t seed = 1;
  ElementType type = ElementType::float64;  ///< of generated matrices
  Bytes memory = 0;                         ///< most that a rank may take; 0: all that is free
  RecordingOptions recording = {};
  RunOptions run;
  Method method = Method::best;
  Held held = Held::root;
  Rank root = 0;
  int threads = 0;  ///< of BLAS per rank; 0: as many as there are cores for
  bool reference = false;
  int panels = 0;  ///< 0: as many as are predicted to be best
  int stages = 0;  ///< the same
  std::string trace = {};
  bool explain = false;  ///< tell why this way was chosen, and the plan of each task

  bool generated() const { return a.empty(); }
  /// C is to be computed in blocks.
  bool in_blocks() const { return memory > 0 || recording.wanted(); }
  /// C is to be computed in blocks if it does not fit in memory. Not if nothing is read or written: then its sizes are
  /// mistyped.
  bool may_be_in_blocks() const {
    return in_blocks() || ((!generated() || !c.empty()) && !reference && trace.empty() && !run.phantom);
  }
};

/// Adds those that say what is multiplied where there are no files, but for the size.
std::vector<CLI::Option*> add_shape(OptionGroup& input, Options& options);

/// Adds those that say how, which a prediction takes too.
void add_method(CLI::App& command, Options& options);

/// Adds all to a command.
void add_options(CLI::App& command, Options& options);

/// Fills in what was left to defaults and checks what the parser cannot see. Throws Error.
void complete(Options& options);

}  // namespace tombolo::matmul
