#include <memory>

#include <CLI/CLI.hpp>

#include <tombolo/framework/mpi/agree.hpp>
#include <tombolo/platform/file/platform_file.hpp>
#include <tombolo/platform/simgrid/simgrid_write.hpp>
#include <tombolo/platform/system/atomic_file.hpp>

#include "command.hpp"
#include "files.hpp"
#include "load_platform.hpp"
#include "output.hpp"
#include "show/heat_map.hpp"
#include "show/options.hpp"
#include "show/text.hpp"

namespace tombolo {
namespace showing {
namespace {

std::string shown(const Platform& platform, Format format) {
  switch (format) {
    case Format::json:
      return to_json(platform);
    case Format::simgrid:
      return to_simgrid(platform);
    case Format::hosts:
      return to_host_file(platform);
    case Format::svg:
      return to_heat_map(platform);
    case Format::text:
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
  auto* command = app.add_subcommand("show", "Show a platform: who is near whom, how fast every processor and link is");
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
