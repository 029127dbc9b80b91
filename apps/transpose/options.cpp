#include "transpose/options.hpp"

#include <charconv>
#include <map>
#include <system_error>

#include <fmt/format.h>

#include <tombolo/units.hpp>

#include "run/memory_limit.hpp"
#include "run/options.hpp"

namespace tombolo::transposition {

namespace {

std::optional<GridShape> grid_in(const std::string& text) {
  GridShape grid;
  const char* const end = text.data() + text.size();
  const auto [x, error] = std::from_chars(text.data(), end, grid.rows);
  if (error != std::errc{} || x == end || *x != 'x') return std::nullopt;
  const auto [at, also] = std::from_chars(x + 1, end, grid.columns);
  if (also != std::errc{} || at != end || grid.rows < 1 || grid.columns < 1) return std::nullopt;
  return grid;
}

void add_grid(OptionGroup& group, const std::string& option, std::optional<GridShape>& grid, const std::string& help) {
  const auto set = [option, &grid](const std::string& text) {
    grid = grid_in(text);
    if (!grid) throw CLI::ValidationError(option, "'" + text + "' is not a grid such as 2x3, rows of blocks first");
  };
  group.function<std::string>(option, set, help, "PxQ");
}

}  // namespace

std::vector<CLI::Option*> add_shape(OptionGroup& input, Options& options) {
  return {input.integer("--m", options.m, "Rows of a generated A; default: --size", 1),
          input.integer("--n", options.n, "Columns of a generated A; default: --size", 1),
          input.choice<ElementType>(
              "--dtype", options.type,
              {{"float64", ElementType::float64},
               {"float32", ElementType::float32},
               {"complex64", ElementType::complex64},
               {"complex128", ElementType::complex128}},
              "Element type of a generated matrix: float64 (default), float32, complex64 or complex128", "TYPE")};
}

void add_layouts(OptionGroup& group, Options& options) {
  const std::map<std::string, Layout::Kind> kinds{
      {"rows", Layout::Kind::rows}, {"columns", Layout::Kind::columns}, {"blocks", Layout::Kind::blocks}};
  group.choice<Layout::Kind>(
      "--layout", options.layout, kinds,
      "What each rank has of A: consecutive rows (default), consecutive columns, or a block of a grid",
      "rows|columns|blocks");
  group.choice<Layout::Kind>(
      "--to", options.to, kinds,
      "What each rank ends with of B; default: as --layout, or the other one with --out-order F. From rows to columns "
      "nothing has to move",
      "rows|columns|blocks");
  add_grid(group, "--grid", options.grid, "Blocks of A: rows x columns of blocks; default: near to square");
  add_grid(group, "--to-grid", options.to_grid, "Blocks of B; default: those of A, turned, else near to square");
  group.choice<bool>("--relabel", options.relabel, {{"auto", true}, {"never", false}},
                     "Let ranks exchange their parts of B where less has to move then (default), or never",
                     "auto|never");
}

namespace {

void add_room(OptionGroup& group, Options& options) {
  add_memory(group, options.memory,
             "From file to file in panels, so that no rank takes more than this, as 1536M; default: as a whole where "
             "it fits in what is free, else in panels that do");
  group.flag("--in-place", options.in_place,
             "B takes A's memory: a rank needs room for one part and about an eighth of it, not for two; slower");
}

void check_in_place(const Options& options) {
  if (!options.in_place || options.trace.empty()) return;
  throw Error("--in-place and --trace: only a transpose in two buffers is traced", "leave out one of them");
}

void check_panels(const Options& options) {
  if (options.memory == 0 && !options.recording.wanted()) return;
  const std::string asked = options.memory > 0 ? "--memory" : options.recording.option();
  if (options.generated() || options.out.empty()) {
    throw Error(asked + " without --in and --out: only from file to file can parts of A wait",
                "give both, or leave out " + asked);
  }
  if (options.in_place) throw Error(asked + " and --in-place: panels do not hold A", "leave out one of them");
  if (!options.trace.empty()) throw Error(asked + " and --trace: panels are not traced", "leave out one of them");
  if (options.layout || options.to) {
    throw Error(asked + " with --layout or --to: panels have neither", "leave out one of them");
  }
}

void check_grid(const std::string& option, const std::optional<GridShape>& grid, const std::string& layout_option,
                Layout::Kind kind) {
  if (!grid || kind == Layout::Kind::blocks) return;
  throw Error(fmt::format("{} {}x{} with a layout by {}", option, grid->rows, grid->columns, name(kind)),
              fmt::format("add {} blocks, or leave out {}", layout_option, option));
}

}  // namespace

Layout::Kind Options::layout_of_b() const {
  if (to) return *to;
  if (!fortran_out || layout_of_a() == Layout::Kind::blocks) return layout_of_a();
  return layout_of_a() == Layout::Kind::rows ? Layout::Kind::columns : Layout::Kind::rows;
}

std::string_view name(Layout::Kind kind) {
  return kind == Layout::Kind::rows ? "rows" : kind == Layout::Kind::columns ? "columns" : "blocks";
}

void add_options(CLI::App& command, Options& options) {
  OptionGroup input(command, "Matrices");
  auto* in = input.input("--in", options.in,
                         "A, a matrix in a .npy file (float32, float64, complex64 or complex128, C or Fortran order); "
                         "all ranks read it",
                         "FILE.npy");
  auto* size = input.integer("--size", options.size, "Generate a square matrix of this size instead", 1);
  std::vector<CLI::Option*> generated = add_shape(input, options);
  generated.push_back(size);
  generated.push_back(input.seed(options.seed, "Seed of a generated matrix; any number of ranks gives the same one"));
  for (CLI::Option* const option : generated) option->excludes(in);
  input.output("--out", options.out, "Write B here, all ranks their parts at once; default: B is verified and dropped",
               "FILE.npy");
  input.choice<bool>("--out-order", options.fortran_out, {{"C", false}, {"F", true}},
                     "Order of --out, C (default) or Fortran; from file to file in the other order than A's, B is A's "
                     "bytes: nothing is turned or exchanged",
                     "C|F");
  OptionGroup how(command, how_it_runs);
  add_layouts(how, options);
  add_room(how, options);
  add_shares_and_collectives(command, options.run);
  add_trace(command, options.trace, ", in memory");
  add_recording(
      command, options.recording,
      "From file to file: record finished panels at most so often, as 90s, 10m or 2h, so that --resume can go "
      "on; default: each panel with --resume, else none",
      "From file to file, in panels (--memory): go on from the finished panels of an earlier run, on any number "
      "of ranks, and record those of this one");
  add_report_and_phantom(command, options.run);
}

void complete(Options& options) {
  check_phantom_wanted(options.run);
  check_panels(options);
  check_in_place(options);
  check_grid("--grid", options.grid, "--layout", options.layout_of_a());
  check_grid("--to-grid", options.to_grid, "--to", options.layout_of_b());
  if (!options.generated()) return;
  complete_dimensions(options.size, {{"--m", &options.m}, {"--n", &options.n}}, "no matrix to transpose",
                      "give --in, or --size, or --m and --n");
}

}  // namespace tombolo::transposition
