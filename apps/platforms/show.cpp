#include <memory>

#include <CLI/CLI.hpp>

#include <tombolo/platform/file/platform_file.hpp>
#include <tombolo/platform/simgrid/simgrid_write.hpp>
#include <tombolo/platform/system/atomic_file.hpp>
#include <tombolo/session.hpp>

#include "command.hpp"
#include "load_platform.hpp"
#include "output.hpp"
#include "platforms/heat_map.hpp"
#include "platforms/text.hpp"

namespace tombolo {
namespace showing {
namespace {

// As what a platform is shown.
enum class Shown { text, json, simgrid, hosts, svg };

// The options.
struct Options {
  std::string file;
  std::string hosts;   ///< host file for a description; empty: one rank on each host
  std::string output;  ///< empty: the standard output
  Shown format = Shown::text;
};

void add_options(CLI::App& command, Options& options) {
  OptionGroup group(command);
  auto* file = group.input("file", options.file, "A platform file (JSON), or a SimGrid platform description (XML)", "");
  file->required();
  group.input("--hosts", options.hosts,
              "For a description: rank k runs on the host of line k, NAME:N stands for N ranks; default: one rank on "
              "each host",
              "HOSTFILE");
  group.choice<Shown>("--format", options.format,
                      {{"text", Shown::text},
                       {"json", Shown::json},
                       {"simgrid", Shown::simgrid},
                       {"hosts", Shown::hosts},
                       {"svg", Shown::svg}},
                      "For people (text, the default), as a platform file (json), as a description for SimGrid and its "
                      "host file (simgrid, hosts), latencies as a heat map (svg, takes gnuplot)",
                      "text|json|simgrid|hosts|svg");
  group.output("-o,--output", options.output, "Write to this file instead of the standard output");
}

std::string shown(const Platform& platform, Shown format) {
  switch (format) {
    case Shown::json:
      return to_json(platform);
    case Shown::simgrid:
      return to_simgrid(platform);
    case Shown::hosts:
      return to_host_file(platform);
    case Shown::svg:
      return to_heat_map(platform);
    case Shown::text:
      break;
  }
  return to_text(platform);
}

int run(Session& session, const Options& options) {
  std::string text;
  agree(session.communicator(), [&] {
    if (session.rank() != 0) return;  // it needs no ranks
    if (!options.output.empty()) check_writable(options.output);
    text = shown(load_platform(options.file, options.hosts), options.format);
    if (!options.output.empty()) write_text(options.output, text);
  });
  if (options.output.empty()) print(session, text);
  return 0;
}

}  // namespace
}  // namespace showing

void add_show(CLI::App& app, Run& run) {
  auto* command = app.add_subcommand(
      "show", "Show a platform: clusters of hosts, speeds of processors, latencies and rates of links");
  command->footer(
      "A platform file is what tombolo has found out of the machines; a description is what SimGrid simulates. Either\n"
      "can be turned into the other. Needs no ranks.\n\n"
      "  tombolo show lab/platforms/grid5000.xml\n"
      "  tombolo show lab/platforms/grid5000-cyclic.xml --hosts lab/platforms/grid5000-cyclic.hosts --format json -o "
      "grid.json\n"
      "  tombolo show grid.json --format svg -o grid.svg\n"
      "  tombolo show grid.json --format simgrid -o copy.xml; tombolo show grid.json --format hosts -o copy.hosts");
  auto options = std::make_shared<showing::Options>();
  showing::add_options(*command, *options);
  when_chosen(*command, run, [options](Session& session) { return showing::run(session, *options); });
}

}  // namespace tombolo
