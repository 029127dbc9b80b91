#include <algorithm>
#include <memory>
#include <optional>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <tombolo/collectives/calibrate/guesses.hpp>
#include <tombolo/framework/report/progress_printer.hpp>
#include <tombolo/platform/mpi/machine.hpp>
#include <tombolo/session.hpp>
#include <tombolo/units.hpp>

#include "collectives/bench_options.hpp"
#include "collectives/cells.hpp"
#include "collectives/figures.hpp"
#include "collectives/race.hpp"
#include "command.hpp"
#include "output.hpp"

namespace tombolo {
namespace benchmarking {
namespace {

// Buffers of --check: expected and found results, with gaps between elements.
constexpr int copies_to_check = 4;

// Reports a --check that has found no difference.
std::string checked(const std::vector<Figure>& figures) {
  const auto right = std::ranges::count_if(figures, [](const Figure& each) { return each.right.value_or(false); });
  return right == 0 ? "nothing compared with MPI's results, as all of these are MPI's own\n"
                    : fmt::format("{} compared with MPI's, no difference\n", counted(right, "result"));
}

void deliver(Session& session, const Options& options, const std::vector<Figure>& figures, bool right) {
  const Environment environment{.mpi = mpi_library(),
                                .platform = session.platform_source(),
                                .guesses = guesses(session.platform()),
                                .hosts = static_cast<int>(session.platform().hosts.size()),
                                .simulated = machine::simulated(),
                                .precision = options.repeat.precision,
                                .keep_times = options.keep_times};
  std::string text;
  agree(session.communicator(), [&] {
    if (session.rank() != 0) return;
    if (!options.plots.empty()) write_pictures(options.plots, pictures(figures));
    text = shown(options.format, figures, environment);
    if (options.check && right && options.format == Format::text) text += checked(figures);
  });
  print(session, text);
}

int run(Session& session, const Options& options) {
  std::vector<timing::Cell> cells;
  agree(session.communicator(), [&] {
    cells = timing::cells_of(options.operations, options.bytes, options.root, session.ranks());
    for (const timing::Cell& cell : cells) {
      check_stated(cell.operation, options);
      timing::request_of(cell, session.ranks(), options.counts);  // there is one
    }
    if (options.repeat.most == 0 && !options.check)
      throw Error("--most 0 times nothing", "add --check, or repeat once at least");
    if (options.keep_times && options.format != Format::json)
      throw Error("--times shows every time in JSON only", "add --format json, or leave it out");
    if (session.rank() == 0 && !options.plots.empty()) make_output_folder(options.plots);
  });
  timing::require_room(session, cells, options.counts, options.check ? copies_to_check : 1);
  if (!options.platform.empty()) session.use_platform(options.platform);
  if (!options.tuning.empty()) session.use_tuning(options.tuning);
  const Platform& platform = session.discover_or_load();
  std::optional<Planner> planner;
  agree(session.communicator(), [&] { planner.emplace(platform, options.model); });
  if (const Tuning* const tuning = session.tuning()) planner->use(*tuning);
  if (options.no_detours) planner->avoid_detours();
  ProgressPrinter progress(session.rank() == 0);
  progress.begin(fmt::format("timing {} on {} ranks", options.operations, session.ranks()));
  Race race(session, options, *planner);
  std::vector<Figure> figures;
  bool right = true;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    for (Figure& figure : race.run(cells[i])) {
      right = right && figure.right.value_or(true);
      figures.push_back(std::move(figure));
    }
    progress.at(i + 1, cells.size());
  }
  deliver(session, options, figures, right);
  if (right) return 0;
  agree(session.communicator(), [&] {
    if (session.rank() != 0) return;
    for (const Figure& figure : figures) {
      if (figure.right.value_or(true)) continue;
      throw Error(fmt::format("{} of {} B on {} ranks, root {}: {} and MPI differ", name(figure.operation),
                              figure.bytes, figure.ranks, figure.root, figure.how),
                  machine::simulated()
                      ? "see whether MPI is right with another --selector (docs/simulation.md); else report it"
                      : "report it, and choose another --algorithm meanwhile");
    }
  });
  return 1;
}

}  // namespace
}  // namespace benchmarking

void add_bench(CLI::App& app, Run& run) {
  auto* command = app.add_subcommand("bench", "Time collectives, MPI's own and planned ones in turns");
  command->footer(
      "Every time is a makespan: from the common start of all ranks until the last of them is done. Native and "
      "planned\n"
      "collectives take turns on the same buffers; each is repeated until its median is known to --precision.\n"
      "Beside each stand what was predicted of the plan and the bound, which no plan can beat on this platform.\n\n"
      "  mpiexec.mpich -n 4 tombolo bench bcast,allreduce\n"
      "  mpiexec.mpich -n 4 tombolo bench all --bytes 8:64K:x8 --check --format csv\n"
      "  mpiexec.mpich -n 4 tombolo bench gather --algorithm all --bytes 4K --root rotate\n"
      "  scripts/simulate grid5000 -- tombolo bench bcast --plots pictures");
  auto options = std::make_shared<benchmarking::Options>();
  benchmarking::add_options(*command, *options);
  when_chosen(*command, run, [options](Session& session) { return benchmarking::run(session, *options); });
}

}  // namespace tombolo
