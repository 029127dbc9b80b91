#include <filesystem>
#include <memory>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <tombolo/framework/mpi/agree.hpp>
#include <tombolo/platform/error.hpp>
#include <tombolo/platform/file/platform_file.hpp>
#include <tombolo/platform/system/atomic_file.hpp>
#include <tombolo/platform/system/posix_file.hpp>
#include <tombolo/platform/system/standard_streams.hpp>

#include "command.hpp"
#include "files.hpp"
#include "models/options.hpp"
#include "models/plots.hpp"
#include "models/report.hpp"
#include "models/survey.hpp"
#include "output.hpp"
#include "output_folder.hpp"

namespace tombolo {
namespace modelling {
namespace {

std::string shown(const Survey& survey, Format format) {
  switch (format) {
    case Format::csv:
      return to_csv(survey);
    case Format::json:
      return to_json(survey);
    case Format::text:
      break;
  }
  return to_text(survey);
}

// One rank has nobody to measure with: what the file knows is all that there is to say.
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
    survey = make_survey(session, options);
  } else {
    agree(session.communicator(), [&] { survey = stored_survey(options.platform, options); });
  }
  std::string text;
  agree(session.communicator(), [&] {
    if (session.rank() != 0) return;
    if (!options.output.empty()) write_platform(options.output, survey.platform);
    if (!options.plots.empty()) {
      for (const auto& [name, svg] : pictures(survey)) write_text(std::filesystem::path(options.plots) / name, svg);
    }
    text = shown(survey, options.format);
  });
  if (measures) {
    const std::string where = kept(session, options, survey.platform);
    if (session.rank() == 0) {
      const std::size_t models = survey.estimates.size();
      say(fmt::format("{} {} of {} ranks; {}\n", models, models == 1 ? "model" : "models", session.ranks(), where));
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
