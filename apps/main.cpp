#include <csignal>
#include <cstdio>
#include <exception>
#include <memory>
#include <optional>
#include <sstream>
#include <string>

#include <fmt/format.h>

#include <tombolo/framework/mpi/agree.hpp>
#include <tombolo/platform/mpi/machine.hpp>
#include <tombolo/platform/posix_file.hpp>

#include "command.hpp"
#include "help.hpp"
#include "output.hpp"

namespace tombolo {
namespace {

constexpr const char* description =
    "Tombolo runs MPI applications at full speed on machines that are not all alike:\n"
    "slices in proportion to speed, collectives planned for the platform.";

constexpr const char* footer =
    "Commands that need ranks are started by mpiexec, one process per core:\n"
    "  mpiexec.mpich -n 2 tombolo matmul --size 2000\n"
    "tombolo COMMAND --help explains a command.";

/// What became of a run: its exit status, what to say on stderr, and whether the other ranks know.
struct Outcome {
  int status = 0;
  std::string words;
  bool agreed = true;
};

std::string what_is_missing(const CLI::App& app) {
  std::string names;
  for (const CLI::App* command : app.get_subcommands(nullptr)) {
    names += (names.empty() ? "" : ", ") + command->get_name();
  }
  const auto unknown = app.remaining();
  const std::string cause = unknown.empty() ? "no command" : fmt::format("'{}' is not a command", unknown.front());
  return fmt::format("{}; choose one of {}", cause, names);
}

// What the parser says of a mistake, and where the user finds more.
std::string explained(const CLI::App* app, const CLI::Error& error) {
  std::string command = "tombolo";
  while (!app->get_subcommands().empty()) {
    app = app->get_subcommands().front();
    command += " " + app->get_name();
  }
  return fmt::format("{}; see {} --help", error.what(), command);
}

/// Why a run ends with its command line. Help is an "error" with status 0.
struct Said {
  int status = 0;
  std::string help;
  std::string complaint;
};

// MPI is not called in a catch block: in simulation, ranks are coroutines of one thread.
std::optional<Said> parse(CLI::App& app, int argc, char** argv) {
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    std::ostringstream help;
    std::ostringstream complaint;
    const int status = app.exit(error, help, complaint);
    return Said{status, help.str(), complaint.str()};
  }
  return std::nullopt;
}

Outcome parse_and_run(Session& session, int argc, char** argv) {
  CLI::App app(description, "tombolo");
  app.footer(footer);
  app.set_version_flag("--version", TOMBOLO_VERSION);
  app.failure_message(explained);
  app.formatter(std::make_shared<Help>());
  Run run;
#define TOMBOLO_COMMAND(name) add_##name(app, run);
#include "commands.def"
#undef TOMBOLO_COMMAND
  app.allow_extras();  // what_is_missing() has a better word for them; commands do not inherit this
  // Every rank reads the same line, and so all or none end here.
  if (const auto said = parse(app, argc, argv)) {
    print(session, said->help);
    return {said->status, said->complaint};
  }
  if (!run || app.remaining_size() > 0) return {1, what_is_missing(app)};
  return {run(session), {}};
}

Outcome outcome_of(Session& session, int argc, char** argv) {
  try {
    return parse_and_run(session, argc, argv);
  } catch (const AgreedError& error) {
    return {1, error.what()};
  } catch (const std::exception& error) {
    return {1, error.what(), false};
  }
}

}  // namespace
}  // namespace tombolo

int main(int argc, char** argv) {
  // A file that grows beyond its limit is an error with words, not the end of the process.
  (void)std::signal(SIGXFSZ, SIG_IGN);
  tombolo::Session session(argc, argv);
  const tombolo::Outcome outcome = tombolo::outcome_of(session, argc, argv);
  if (!outcome.words.empty() && (session.rank() == 0 || !outcome.agreed)) {
    fmt::print(stderr, "tombolo: {}\n", tombolo::printable(outcome.words));
  }
  // The other ranks may be waiting for this one in a collective; only ending the run helps.
  if (!outcome.agreed) tombolo::machine::abort(outcome.status);
  return outcome.status;
}
