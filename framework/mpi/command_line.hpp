#pragma once

#include <cstdio>
#include <functional>
#include <optional>
#include <sstream>
#include <string>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <tombolo/framework/mpi/agree.hpp>
#include <tombolo/framework/mpi/main.hpp>
#include <tombolo/framework/mpi/session.hpp>
#include <tombolo/platform/error.hpp>

// For programs that read their command line by CLI11, which nothing else of the framework needs.
namespace tombolo {

/// Why a run ends with its command line. Help is an "error" with status 0.
struct CommandLineSaid {
  int status = 0;
  std::string help;
  std::string complaint;
};

/// What the parser says of a mistake, and where the user finds more; for CLI::App::failure_message().
inline std::string explained(const CLI::App* app, const CLI::Error& error) {
  std::string command = app->get_name();
  while (!app->get_subcommands().empty()) {
    app = app->get_subcommands().front();
    command += " " + app->get_name();
  }
  return fmt::format("{}; see {} --help", error.what(), command);
}

/// Parses the command line; nothing where the run may go on. Every rank reads the same line, and so all or none end.
inline std::optional<CommandLineSaid> parse_command_line(CLI::App& app, int argc, char** argv) {
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

/// run_main() of a program that is called as the app is and has its options: they are parsed before `program` is
/// called. A mistake there is one line on stderr and status 1; --help is printed once.
inline int run_main(int argc, char** argv, CLI::App& app, const std::function<void(Session&)>& program) {
  return run_main(argc, argv, app.get_name(), [&](Session& session) {
    const auto said = parse_command_line(app, argc, argv);
    if (!said) return program(session);
    if (said->status != 0) throw AgreedError(said->complaint);
    agree(session.communicator(), [&] {
      if (session.rank() != 0 || (std::fputs(said->help.c_str(), stdout) >= 0 && std::fflush(stdout) == 0)) return;
      throw Error("cannot write to the standard output", "send it to a place that has room");
    });
  });
}

}  // namespace tombolo
