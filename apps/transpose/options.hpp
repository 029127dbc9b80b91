#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <tombolo/matrix.hpp>
#include <tombolo/units.hpp>

#include "option_group.hpp"
#include "run/options.hpp"
#include "run/recording.hpp"

namespace CLI {
class App;
}

namespace tombolo::transposition {

/// Rows and columns of blocks.
struct GridShape {
  int rows = 0;
  int columns = 0;
  GridShape transposed() const { return {columns, rows}; }
  bool operator==(const GridShape&) const = default;
};

/// The options; the same on all ranks.
struct Options {
  std::string in;   ///< .npy file; a generated matrix if empty
  std::string out;  ///< where the transpose goes; nowhere if empty
  std::int64_t size = 0;
  std::int64_t m = 0;
  std::int64_t n = 0;
  std::uint64_t seed = 1;
  ElementType type = ElementType::float64;  ///< of a generated matrix
  bool fortran_out = false;                 ///< the order of elements in `out`
  std::optional<Layout::Kind> layout;       ///< of A; by rows if not given
  std::optional<Layout::Kind> to;           ///< of B
  std::optional<GridShape> grid;
  std::optional<GridShape> to_grid;
  bool relabel = true;
  std::string trace = {};  ///< what every rank did when goes there
  bool in_place = false;   ///< B takes A's memory
  Bytes memory = 0;        ///< most that a rank may take, from file to file; 0: all that is free
  RecordingOptions recording = {};
  RunOptions run{.best = "links"};

  bool generated() const { return in.empty(); }
  Layout::Kind layout_of_a() const { return layout.value_or(Layout::Kind::rows); }
  /// If not given as A's, or where B's file has the other order the other one, so that nothing moves.
  Layout::Kind layout_of_b() const;
};

/// "rows", "columns", "blocks"
std::string_view name(Layout::Kind kind);

/// Adds those that say what is transposed where there is no file, but for the size.
std::vector<CLI::Option*> add_shape(OptionGroup& input, Options& options);

/// Adds those that say which rank has what.
void add_layouts(OptionGroup& group, Options& options);

/// Adds all to a command.
void add_options(CLI::App& command, Options& options);

/// Fills in what was left to defaults and checks what the parser cannot see. Throws Error.
void complete(Options& options);

}  // namespace tombolo::transposition
