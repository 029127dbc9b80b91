#include <memory>
#include <optional>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <tombolo/framework/mpi/agree.hpp>
#include <tombolo/platform/system/atomic_file.hpp>
#include <tombolo/platform/system/posix_file.hpp>
#include <tombolo/platform/system/standard_streams.hpp>

#include "command.hpp"
#include "files.hpp"
#include "output.hpp"
#include "progress.hpp"
#include "timing/candidates.hpp"
#include "timing/turns.hpp"
#include "tune/task.hpp"

namespace tombolo {
namespace tuning {
namespace {

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

std::string shown(const std::vector<Outcome>& outcomes, const Setting& setting, Format format) {
  switch (format) {
    case Format::csv:
      return to_csv(outcomes, setting);
    case Format::json:
      return to_json(outcomes, setting);
    case Format::text:
      break;
  }
  return to_text(outcomes, setting);
}

// Where the decisions went.
std::string keep(const Options& options, Tuning& tuning, const std::vector<Outcome>& outcomes) {
  std::size_t stay = 0;
  for (const Outcome& outcome : outcomes) stay += tuning.keep(outcome.decision) ? 0 : 1;
  if (options.output.empty()) return "not kept; give --output tuning.json";
  write_text(options.output, to_json(tuning));
  std::string words = "kept in " + printable(options.output);
  if (stay > 0)
    words += fmt::format(", where {} that {} measured before stay{}", stay, stay == 1 ? "was" : "were",
                         stay == 1 ? "s" : "");
  return words;
}

int run(Session& session, const Options& options) {
  Task task = prepare(session, options);
  ProgressLines progress;
  if (session.rank() == 0) {
    progress.begin(fmt::format("tuning {} for {} ranks", options.operations, task.setting.ranks), 1, 1);
  }
  std::vector<Outcome> outcomes;
  for (const timing::Cell& cell : task.cells) {
    outcomes.push_back(outcome_of(session, options, task, cell));
    if (session.rank() == 0) progress.at(outcomes.size(), task.cells.size());
  }
  std::string text;
  std::string where;
  agree(session.communicator(), [&] {
    if (session.rank() != 0) return;
    where = keep(options, *task.tuning, outcomes);
    text = shown(outcomes, task.setting, options.format);
  });
  if (session.rank() == 0) {
    say(fmt::format("{} decision{} {}; {}\n", outcomes.size(), outcomes.size() == 1 ? "" : "s",
                    task.setting.measured ? "measured" : "by prediction", where));
  }
  print(session, text);
  return 0;
}

}  // namespace
}  // namespace tuning

void add_tune(CLI::App& app, Run& run) {
  auto* command = app.add_subcommand("tune", "Decide ahead of time how collectives are carried out, and keep that");
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
