#include "transpose/options.hpp"

#include <charconv>
#include <map>
#include <system_error>

#include <fmt/format.h>

#include <tombolo/platform/error.hpp>

#include "files.hpp"
#include "run/checks.hpp"
#include "run/dimensions.hpp"
#include "validators.hpp"

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

void add_grid(CLI::App& command, const std::string& option, std::optional<GridShape>& grid, const std::string& help) {
  const auto set = [option, &grid](const std::string& text) {
    grid = grid_in(text);
    if (!grid) throw CLI::ValidationError(option, "'" + text + "' is not a grid such as 2x3, rows of blocks first");
  };
  command.add_option_function<std::string>(option, set, help)->type_name("PxQ")->group(how_it_runs);
}

void add_layouts(CLI::App& command, Options& options) {
  const std::map<std::string, Layout::Kind> kinds{
      {"rows", Layout::Kind::rows}, {"columns", Layout::Kind::columns}, {"blocks", Layout::Kind::blocks}};
  const auto add_kind = [&](const std::string& option, std::optional<Layout::Kind>& kind, const std::string& help) {
    add_choice<Layout::Kind>(command, option, kind, kinds, help)->type_name("rows|columns|blocks")->group(how_it_runs);
  };
  add_kind("--layout", options.layout,
           "What each rank has of A: consecutive rows (default), consecutive columns, or a block of a grid");
  add_kind("--to", options.to,
           "What each rank ends with of B; default: as --layout, or the other one with --out-order F. From rows to "
           "columns nothing has to move");
  add_grid(command, "--grid", options.grid, "Blocks of A: rows x columns of blocks; default: near to square");
  add_grid(command, "--to-grid", options.to_grid, "Blocks of B; default: those of A, turned, else near to square");
  add_choice<bool>(command, "--relabel", options.relabel, {{"auto", true}, {"never", false}},
                   "Let ranks exchange their parts of B where less has to move then (default), or never")
      ->type_name("auto|never")
      ->group(how_it_runs);
}

void add_memory(CLI::App& command, Options& options) {
  command
      .add_option("--memory", options.memory,
                  "From file to file in panels, so that no rank takes more than this, as 1536M; default: as a whole "
                  "where it fits in what is free, else in panels that do")
      ->transform(size_in_bytes(1))
      ->type_name("SIZE")
      ->group(how_it_runs);
  command
      .add_flag("--in-place", options.in_place,
                "B takes A's memory: a rank needs room for one part and about an eighth of it, not for two; slower")
      ->group(how_it_runs);
}

void check_in_place(const Options& options) {
  if (!options.in_place || options.trace.empty()) return;
  throw Error("--in-place and --trace: only a transpose in two buffers is traced", "leave out one of them");
}

void check_panels(const Options& options) {
  if (options.memory == 0) return;
  if (options.generated() || options.out.empty()) {
    throw Error("--memory without --in and --out: only from file to file can parts of A wait",
                "give both, or leave out --memory");
  }
  if (options.in_place) throw Error("--memory and --in-place: panels do not hold A", "leave out one of them");
  if (!options.trace.empty()) throw Error("--memory and --trace: panels are not traced", "leave out one of them");
  if (options.layout || options.to) {
    throw Error("--memory with --layout or --to: panels have neither", "leave out one of them");
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
  const std::string input = "Matrices";
  auto* in = command
                 .add_option("--in", options.in,
                             "A, a matrix in a .npy file (float32, float64, complex64 or complex128, C or Fortran "
                             "order); all ranks read it")
                 ->transform(input_file())
                 ->type_name("FILE.npy")
                 ->group(input);
  auto* size = command.add_option("--size", options.size, "Generate a square matrix of this size instead");
  auto* m = command.add_option("--m", options.m, "Rows of a generated A; default: --size");
  auto* n = command.add_option("--n", options.n, "Columns of a generated A; default: --size");
  for (auto* option : {size, m, n}) {
    option->type_name("INT")->transform(whole_number(1))->group(input)->excludes(in);
  }
  command.add_option("--seed", options.seed, "Seed of a generated matrix; any number of ranks gives the same one")
      ->capture_default_str()
      ->transform(whole_number(0))
      ->type_name("INT")
      ->group(input)
      ->excludes(in);
  add_choice<ElementType>(command, "--dtype", options.type,
                          {{"float64", ElementType::float64},
                           {"float32", ElementType::float32},
                           {"complex64", ElementType::complex64},
                           {"complex128", ElementType::complex128}},
                          "Element type of a generated matrix: float64 (default), float32, complex64 or complex128")
      ->type_name("TYPE")
      ->group(input)
      ->excludes(in);
  command
      .add_option("--out", options.out,
                  "Write B here, all ranks their parts at once; default: B is verified and dropped")
      ->transform(output_file())
      ->type_name("FILE.npy")
      ->group(input);
  add_choice<bool>(command, "--out-order", options.fortran_out, {{"C", false}, {"F", true}},
                   "Order of --out, C (default) or Fortran; from file to file in the other order than A's, B is A's "
                   "bytes: nothing is turned or exchanged")
      ->type_name("C|F")
      ->group(input);
  add_layouts(command, options);
  add_memory(command, options);
  add_shares_and_collectives(command, options.run);
  add_trace(command, options.trace, ", in memory");
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
