#include <filesystem>
#include <memory>
#include <optional>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <tombolo/collectives/choose/planner.hpp>
#include <tombolo/framework/report/progress_printer.hpp>
#include <tombolo/platform/system/atomic_file.hpp>
#include <tombolo/platform/system/posix_file.hpp>
#include <tombolo/platform/system/standard_streams.hpp>
#include <tombolo/session.hpp>
#include <tombolo/units.hpp>

#include "collectives/cells.hpp"
#include "collectives/outcome.hpp"
#include "collectives/timing_options.hpp"
#include "collectives/turns.hpp"
#include "command.hpp"
#include "load_platform.hpp"
#include "output.hpp"

namespace tombolo {
namespace tuning {
namespace {

/// The options.
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

/// The cells to decide about. Planner and tuning are rank 0's, the rest is the same on all ranks.
struct Task {
  Setting setting;
  std::vector<timing::Cell> cells;
  std::optional<Planner> planner{};
  std::optional<Tuning> tuning{};  ///< what was decided before and stays
};

void add_options(CLI::App& command, Options& options) {
  timing::add_operations(command, options.operations, false);
  OptionGroup what(command, "What is tuned");
  timing::add_bytes(what, options.bytes);
  what.value("--root", options.root, "A rank, or all: each in turn is a case of its own", "RANK|all")
      ->capture_default_str();
  OptionGroup how(command, "How it is tuned");
  timing::add_platform_and_model(how, options.platform, options.model);
  how.input("--hosts", options.hosts, "Where --platform is a SimGrid description: the host file");
  how.integer("--candidates", options.candidates,
              "Look closely at so many algorithms, those predicted to be the fastest, and at a flat one", 1, 1000)
      ->capture_default_str();
  timing::add_repeat(how, options.repeat, "");
  OptionGroup kept(command, "What is kept and shown");
  auto* output =
      kept.output("-o,--output", options.output, "Keep the decisions here; default: only show them", "FILE.json");
  kept.flag("--update", options.update,
            "Leave the other decisions of that file in it, and measured ones where nothing is measured now; default: "
            "begin anew")
      ->needs(output);
  kept.format(options.format);
}

// Minutes of measuring should not end in a mistake that was there before.
void check(const Session& session, const Options& options) {
  if (session.ranks() == 1 && options.platform.empty()) {
    throw Error("one rank has nobody to measure with, and no --platform to predict for",
                "start more (mpiexec -n 8 tombolo tune), or give a --platform");
  }
  if (session.ranks() > 1 && !options.hosts.empty()) {
    throw Error(
        fmt::format("--hosts {} on {} ranks, which are where they are", printable(options.hosts), session.ranks()),
        "leave it out, or predict on one rank");
  }
  if (options.root == "rotate") throw Error("--root rotate", "give a rank, or all");
  if (session.rank() == 0 && !options.output.empty()) check_writable(options.output);
}

Tuning begun(const Options& options, const Platform& platform) {
  const std::vector<std::string> hosts = hosts_by_rank(platform);
  if (!options.update || !std::filesystem::exists(options.output)) return Tuning(hosts);
  Tuning before = read_tuning(options.output);
  before.check_fits(hosts, printable(options.output), "give another --output, or leave out --update to begin it anew");
  return before;
}

// Returns the task that the options state. Throws AgreedError for options that contradict the run. Collective.
Task prepare(Session& session, const Options& options) {
  agree(session.communicator(), [&] { check(session, options); });
  Task task;
  task.setting.measured = session.ranks() > 1;
  std::optional<Platform> platform;
  if (task.setting.measured) {
    if (!options.platform.empty()) session.use_platform(options.platform);
    platform = session.find_platform();
    task.setting.platform = session.platform_source();
  }
  agree(session.communicator(), [&] {
    if (!platform) {
      platform = load_platform(options.platform, options.hosts);
      task.setting.platform = printable(options.platform);
    }
    task.setting.ranks = platform->ranks();
    task.cells = timing::cells_of(options.operations, options.bytes, options.root, platform->ranks());
    if (session.rank() != 0) return;
    task.tuning = begun(options, *platform);
    task.planner.emplace(std::move(*platform), options.model);
  });
  if (task.setting.measured) timing::require_room(session, task.cells);
  return task;
}

Outcome outcome_of(Session& session, const Options& options, const Task& task, const timing::Cell& cell) {
  const Request request = timing::request_of(cell, task.setting.ranks);
  const auto choose = [&] {
    std::vector<Candidate> all = contenders(request, *task.planner, options.candidates);
    check_within_time(all);
    return all;
  };
  Outcome outcome;
  outcome.contenders = timing::chosen_at_rank_0(session, request, choose);
  std::optional<Picoseconds> native;
  if (task.setting.measured) {
    const std::vector<Timing> timings =
        timing::time_in_turns(session, request, {.plans = outcome.contenders}, options.repeat);
    native = timings.front().median;
    for (std::size_t i = 1; i < timings.size(); ++i) outcome.measured.push_back(timings[i].median);
  }
  outcome.decision = decide(outcome.contenders, outcome.measured, native);
  outcome.how = outcome.decision.plan(request).how();
  return outcome;
}

// Keeps the decisions, and says where.
std::string keep(const Options& options, Tuning& tuning, const std::vector<Outcome>& outcomes) {
  std::size_t stay = 0;
  for (const Outcome& outcome : outcomes) stay += tuning.keep(outcome.decision) ? 0 : 1;
  if (options.output.empty()) return "not kept; give --output tuning.json";
  write_text(options.output, to_json(tuning));
  std::string words = "kept in " + printable(options.output);
  if (stay == 0) return words;
  return words + fmt::format(", where {} that {} measured before stay{}", stay, stay == 1 ? "was" : "were",
                             stay == 1 ? "s" : "");
}

int run(Session& session, const Options& options) {
  Task task = prepare(session, options);
  ProgressPrinter progress(session.rank() == 0);
  progress.begin(fmt::format("tuning {} for {} ranks", options.operations, task.setting.ranks));
  std::vector<Outcome> outcomes;
  for (const timing::Cell& cell : task.cells) {
    outcomes.push_back(outcome_of(session, options, task, cell));
    progress.at(outcomes.size(), task.cells.size());
  }
  std::string text;
  std::string where;
  agree(session.communicator(), [&] {
    if (session.rank() != 0) return;
    where = keep(options, *task.tuning, outcomes);
    text = shown(options.format, outcomes, task.setting);
  });
  if (session.rank() == 0) {
    say(fmt::format("{} {}; {}\n", counted(outcomes.size(), "decision"),
                    task.setting.measured ? "measured" : "by prediction", where));
  }
  print(session, text);
  return 0;
}

}  // namespace
}  // namespace tuning

void add_tune(CLI::App& app, Run& run) {
  auto* command = app.add_subcommand("tune", "Choose plans or native collectives ahead of time, and keep the choices");
  command->footer(
      "On one rank, looks closely at the best algorithms by prediction and takes the fastest. On all ranks of the\n"
      "platform, times the best plan of each of them and MPI's own collective in turns, as tombolo bench does, and\n"
      "takes the fastest, MPI's own where it is. Programs keep to the decisions by --tuning FILE or "
      "TOMBOLO_TUNING=FILE.\n\n"
      "  tombolo tune --platform grid.json -o tuning.json\n"
      "  mpiexec.mpich -n 8 tombolo tune bcast,allreduce --bytes 64:1M:x4 -o tuning.json\n"
      "  mpiexec.mpich -n 8 tombolo tune gather --root 3 -o tuning.json --update\n"
      "  mpiexec.mpich -n 8 tombolo bench bcast --tuning tuning.json");
  auto options = std::make_shared<tuning::Options>();
  tuning::add_options(*command, *options);
  when_chosen(*command, run, [options](Session& session) { return tuning::run(session, *options); });
}

}  // namespace tombolo
