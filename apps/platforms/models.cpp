#include <memory>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <tombolo/collectives/plan/algorithm.hpp>
#include <tombolo/models/kinds/model_kind.hpp>
#include <tombolo/platform/file/platform_file.hpp>
#include <tombolo/platform/system/atomic_file.hpp>
#include <tombolo/platform/system/posix_file.hpp>
#include <tombolo/platform/system/standard_streams.hpp>
#include <tombolo/session.hpp>
#include <tombolo/units.hpp>

#include "algorithm_options.hpp"
#include "command.hpp"
#include "output.hpp"
#include "platforms/report.hpp"
#include "platforms/survey.hpp"

namespace tombolo {
namespace modelling {
namespace {

std::vector<std::string> model_names() {
  std::vector<std::string> names;
  for (const ModelKind* kind : all_models()) names.emplace_back(kind->name);
  return names;
}

void add_options(CLI::App& command, Options& options) {
  OptionGroup group(command);
  group.input("--platform", options.platform,
              "A platform file; default: what tombolo discover has kept for these hosts, else it is discovered");
  group.output("-o,--output", options.output,
               "Write the platform with its models here; default: where those of these hosts are kept, or, with "
               "--platform, nowhere",
               "FILE.json");
  group
      .value("--models", options.models, "Estimate only these: " + listed(model_names()) + "; default: all", "NAME,...")
      ->delimiter(',')
      ->check(one_of(model_names()));
  group
      .value("--ops", options.operations, "Time only these: " + listed(operation_names()) + "; default: all",
             "NAME,...")
      ->delimiter(',')
      ->check(one_of(operation_names()));
  group.sizes(options.bytes,
              "Sizes at which models are judged; those between are what the choice of models is fitted to");
  group
      .value("--budget", options.budget,
             "Seconds that all of it may take: repetitions end, and then collectives are left out; default: 300, in a "
             "simulation as long as it takes",
             "SECONDS")
      ->check(number_within(1.0, 1e6));
  group.flag("--anew", options.anew, "Estimate all models again, even those that the platform has, and thresholds");
  group.flag("--serial", options.serial, "Experiments one after the other, not in parallel");
  group.flag("--estimate-only", options.estimate_only,
             "Do not time collectives to judge models by; thresholds are looked for all the same");
  group.flag("--no-thresholds", options.no_thresholds,
             "Do not look for the sizes between which gathers escalate and above which scatters are serial");
  group.output("--plots", options.plots, "Draw predicted and measured times, a picture per cluster and operation",
               "FOLDER");
  group.format(options.format,
               "For people (text, the default), or every prediction beside its measurement (csv, json)");
}

// One rank has nobody to measure with, so only the contents of the file are shown.
bool asks_a_file(const Session& session, const Options& options) {
  return session.ranks() == 1 && !options.platform.empty();
}

// Minutes of measuring should not end in a mistake that was there before.
void check(const Session& session, const Options& options) {
  if (session.ranks() == 1 && options.platform.empty()) {
    throw Error("one rank has nobody to send messages to",
                "start more (mpiexec -n 8 tombolo models), or give a --platform whose models are known");
  }
  if (!options.plots.empty() && (options.estimate_only || asks_a_file(session, options))) {
    throw Error(fmt::format("--plots {} where no collectives are timed", printable(options.plots)),
                "run it on all ranks of the platform, without --estimate-only");
  }
  if (session.rank() != 0) return;
  if (!options.output.empty()) check_writable(options.output);
  if (!options.plots.empty()) make_output_folder(options.plots);
}

// An interrupted run keeps what it has found so far.
void keep_so_far(Session& session, const Options& options, const Platform& platform) {
  if (!options.output.empty()) {
    agree(session.communicator(), [&] {
      if (session.rank() == 0) write_platform(options.output, platform);
    });
  } else if (options.platform.empty()) {
    session.keep(platform);
  }
}

std::string kept(Session& session, const Options& options, const Platform& platform) {
  if (!options.output.empty()) return fmt::format("kept in {}", printable(options.output));
  if (!options.platform.empty()) return fmt::format("not kept; give --output {}", printable(options.platform));
  const std::string where = session.keep(platform);
  return where.empty() ? "kept nowhere; give --output" : fmt::format("kept in {}", where);
}

int run(Session& session, const Options& options) {
  agree(session.communicator(), [&] { check(session, options); });
  Survey survey;
  const bool measures = !asks_a_file(session, options);
  if (measures) {
    survey = make_survey(session, options, [&](const Platform& platform) { keep_so_far(session, options, platform); });
  } else {
    agree(session.communicator(), [&] { survey = stored_survey(options.platform, options); });
  }
  std::string text;
  agree(session.communicator(), [&] {
    if (session.rank() != 0) return;
    if (!options.output.empty()) write_platform(options.output, survey.platform);
    if (!options.plots.empty()) write_pictures(options.plots, pictures(survey));
    text = shown(options.format, survey);
  });
  if (measures) {
    const std::string where = kept(session, options, survey.platform);
    if (session.rank() == 0) {
      if (survey.not_timed > 0) {
        say(fmt::format("{} left out, for lack of time; give a longer --budget\n",
                        counted(survey.not_timed, "collective")));
      }
      say(fmt::format("{} of {} ranks; {}\n", counted(survey.estimates.size(), "model"), session.ranks(), where));
    }
  }
  print(session, text);
  return 0;
}

}  // namespace
}  // namespace modelling

void add_models(CLI::App& app, Run& run) {
  auto* command = app.add_subcommand("models", "Estimate communication models, and show which of them to trust");
  command->footer(
      "Estimates every model of the platform by experiments between its ranks, looks for the sizes from which linear\n"
      "scatters and gathers behave otherwise (thresholds), times collectives in each logical cluster, between\n"
      "clusters and among all ranks, and compares: how far each model's predictions are off, which one is believed\n"
      "where (the poly-model), and which algorithm is the fastest by it. What it finds is kept with the platform;\n"
      "what has been found before is not measured again, but for collectives. On one rank, shows what a file knows.\n\n"
      "  mpiexec.mpich -n 8 tombolo models\n"
      "  mpiexec.mpich -n 8 tombolo models --platform grid.json -o grid.json --plots pictures\n"
      "  tombolo models --platform grid.json");
  auto options = std::make_shared<modelling::Options>();
  modelling::add_options(*command, *options);
  when_chosen(*command, run, [options](Session& session) { return modelling::run(session, *options); },
              {{"--output", "--platform"}});
}

}  // namespace tombolo
