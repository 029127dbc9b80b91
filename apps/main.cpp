#include <cstdio>
#include <exception>
#include <memory>
#include <string>

#include <fmt/format.h>
#include <mpi.h>

#include <tombolo/framework/mpi/agree.hpp>

#include "command.hpp"
#include "help.hpp"

namespace tombolo {
namespace {

constexpr const char* description =
    "Tombolo runs MPI applications at full speed on machines that are not all alike:\n"
    "slices in proportion to speed, collectives planned for the platform.";

constexpr const char* footer =
    "Commands that need ranks are started by mpiexec, one process per core:\n"
    "  mpiexec.mpich -n 2 tombolo matmul --size 2000\n"
    "tombolo COMMAND --help explains a command.";

// CLI11 takes the line apart; what it says of a mistake becomes one line, printed once.
std::string one_line(const CLI::App* app, const CLI::Error& error) {
  const CLI::App* at = app;
  std::string command = "tombolo";
  while (!at->get_subcommands().empty()) {
    at = at->get_subcommands().front();
    command += " " + at->get_name();
  }
  return fmt::format("tombolo: {}; see {} --help\n", error.what(), command);
}

/// What happened to a run: its exit status, what to print once, and whether the other ranks know.
struct Outcome {
  int status = 0;
  std::string words;
  bool agreed = true;
};

Outcome parse_and_run(Session& session, int argc, char** argv) {
  CLI::App app(description, "tombolo");
  app.require_subcommand(1);
  app.footer(footer);
  app.set_version_flag("--version", TOMBOLO_VERSION);
  app.failure_message(one_line);
  app.formatter(std::make_shared<Help>());
  Run run;
#define TOMBOLO_COMMAND(name) add_##name(app, run);
#include "commands.def"
#undef TOMBOLO_COMMAND
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    // Every rank reads the same line and so comes here; rank 0 speaks. Help is an "error" with status 0.
    if (session.rank() == 0) return {app.exit(error), {}};
    return {error.get_exit_code(), {}};
  }
  try {
    return {run(session), {}};
  } catch (const AgreedError& error) {
    return {1, error.what()};
  } catch (const std::exception& error) {
    return {1, error.what(), false};
  }
}

}  // namespace
}  // namespace tombolo

int main(int argc, char** argv) {
  tombolo::Session session(argc, argv);
  const tombolo::Outcome outcome = tombolo::parse_and_run(session, argc, argv);
  if (!outcome.words.empty() && (session.rank() == 0 || !outcome.agreed)) {
    fmt::print(stderr, "tombolo: {}\n", outcome.words);
  }
  // The other ranks may be waiting for this one in a collective; only MPI can end them.
  if (!outcome.agreed) MPI_Abort(MPI_COMM_WORLD, outcome.status);
  return outcome.status;
}
