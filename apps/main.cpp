#include <memory>
#include <string>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <tombolo/command_line.hpp>
#include <tombolo/session.hpp>

#include "command.hpp"
#include "output.hpp"

namespace tombolo {
namespace {

/// --help as people expect it: an option's type and default, and no lists of what excludes what; the parser says that
/// to whoever needs it.
class Help : public CLI::Formatter {
 public:
  Help() { column_width(34); }

  std::string make_option_opts(const CLI::Option* option) const override {
    if (option->get_type_size() == 0) return "";
    std::string text = " " + option->get_type_name();
    if (!option->get_default_str().empty()) text += " (" + option->get_default_str() + ")";
    if (option->get_required()) text += " (required)";
    return text;
  }
};

constexpr const char* description =
    "Tombolo runs MPI applications at full speed on machines that are not all alike:\n"
    "slices in proportion to speed, collectives planned for the platform.";

constexpr const char* footer =
    "Commands that need ranks are started by mpiexec, one process per core:\n"
    "  mpiexec.mpich -n 2 tombolo matmul --size 2000\n"
    "tombolo COMMAND --help explains a command.";

int parse_and_run(Session& session, int argc, char** argv) {
  CLI::App app(description, "tombolo");
  app.footer(footer);
  app.set_version_flag("--version", TOMBOLO_VERSION);
  app.formatter(std::make_shared<Help>());
  Run run;
#define TOMBOLO_COMMAND(name) add_##name(app, run);
#include "commands.def"
#undef TOMBOLO_COMMAND
  app.allow_extras();  // what_is_missing() has a better word for them; commands do not inherit this
  if (const auto said = parse_command_line(session, app, argc, argv)) {
    if (said->status != 0) throw AgreedError(said->complaint);
    print(session, said->help);
    return 0;
  }
  if (!run || app.remaining_size() > 0) throw AgreedError(what_is_missing(app, "command"));
  return run(session);
}

}  // namespace
}  // namespace tombolo

int main(int argc, char** argv) {
  int status = 0;
  const int failed = tombolo::run_main(
      argc, argv, "tombolo", [&](tombolo::Session& session) { status = tombolo::parse_and_run(session, argc, argv); });
  return failed != 0 ? failed : status;
}
