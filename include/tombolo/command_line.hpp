#pragma once

// Command lines parsed with CLI11; no other header needs CLI11.

#include <cstdio>
#include <functional>
#include <optional>
#include <sstream>
#include <string>

#include <CLI/CLI.hpp>

#include <tombolo/session.hpp>
#include <tombolo/units.hpp>

namespace tombolo {

/// The reason why parsing the command line ends the run. Help is an "error" with status 0.
struct CommandLineSaid {
  int status = 0;
  std::string help;
  std::string complaint;
};

/// Formats a parser error and the way to the help, for CLI::App::failure_message().
inline std::string explained(const CLI::App* app, const CLI::Error& error) {
  std::string command = app->get_name();
  while (!app->get_subcommands().empty()) {
    app = app->get_subcommands().front();
    command += " " + app->get_name();
  }
  return std::string(error.what()) + "; see " + command + " --help";
}

/// Parses the command line; returns nullopt if the run continues. Throws AgreedError if ranks were given different
/// command lines: since every rank parses the same, all ranks end or none. Collective.
inline std::optional<CommandLineSaid> parse_command_line(Session& session, CLI::App& app, int argc, char** argv) {
  check_same_arguments(session.communicator(), argc, argv);
  app.failure_message(explained);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    std::ostringstream help;
    std::ostringstream complaint;
    const int status = app.exit(error, help, complaint);
    return CommandLineSaid{status, help.str(), complaint.str()};
  }
  return std::nullopt;
}

/// Adds the options of checkpoints: --checkpoint DIR, --checkpoint-every TIME, --resume.
inline void add_checkpoint_options(CLI::App& app, CheckpointOptions& options) {
  auto* const folder = app.add_option("--checkpoint", options.folder,
                                      "Save the run in this folder, which all hosts see, to go on after a failure")
                           ->type_name("DIR")
                           ->group("Checkpoints");
  const auto set = [&options](const std::string& words) {
    try {
      set_interval(options, words);
    } catch (const Error& error) {
      throw CLI::ValidationError("--checkpoint-every", error.what());
    }
  };
  app.add_option_function<std::string>("--checkpoint-every", set,
                                       "How often, as 90s, 10m, 2h or '50 passes'; default: 10m. SIGTERM and SIGINT "
                                       "save once more and end the run")
      ->type_name("TIME")
      ->group("Checkpoints")
      ->needs(folder);
  app.add_flag("--resume", options.resume, "Go on from the newest checkpoint, on any number of ranks")
      ->group("Checkpoints")
      ->needs(folder);
}

/// Parses the options of the app and of checkpoints, and calls run_main() under the app's name. A wrong option prints
/// one line on stderr and gives status 1; --help prints once.
inline int run_main(int argc, char** argv, CLI::App& app, const std::function<void(Session&)>& program) {
  CheckpointOptions checkpoints;
  if (app.get_option_no_throw("--checkpoint") == nullptr) add_checkpoint_options(app, checkpoints);
  return run_main(argc, argv, app.get_name(), [&](Session& session) {
    const auto said = parse_command_line(session, app, argc, argv);
    if (!said && !checkpoints.folder.empty()) session.use_checkpoints(checkpoints);
    if (!said) return program(session);
    if (said->status != 0) throw AgreedError(said->complaint);
    agree(session.communicator(), [&] {
      if (session.rank() != 0 || (std::fputs(said->help.c_str(), stdout) >= 0 && std::fflush(stdout) == 0)) return;
      throw Error("cannot write to the standard output", "send it to a place that has room");
    });
  });
}

}  // namespace tombolo
