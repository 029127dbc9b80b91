#include "show/options.hpp"

#include "files.hpp"
#include "validators.hpp"

namespace tombolo::showing {

void add_options(CLI::App& command, Options& options) {
  command.add_option("file", options.file, "A platform file (JSON), or a SimGrid platform description (XML)")
      ->required()
      ->transform(input_file())
      ->type_name("");
  command
      .add_option(
          "--hosts", options.hosts,
          "For a description: rank k runs on the host of line k, NAME:N stands for N ranks; default: one rank on "
          "each host")
      ->transform(input_file())
      ->type_name("HOSTFILE");
  add_choice<Format>(command, "--format", options.format,
                     {{"text", Format::text},
                      {"json", Format::json},
                      {"simgrid", Format::simgrid},
                      {"hosts", Format::hosts},
                      {"svg", Format::svg}},
                     "For people (text, the default), as a platform file (json), as a description for SimGrid and its "
                     "host file (simgrid, hosts), latencies as a heat map (svg, takes gnuplot)")
      ->type_name("text|json|simgrid|hosts|svg");
  command.add_option("-o,--output", options.output, "Write to this file instead of the standard output")
      ->transform(output_file())
      ->type_name("FILE");
}

}  // namespace tombolo::showing
