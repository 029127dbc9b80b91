#include "tune/options.hpp"

#include "files.hpp"
#include "validators.hpp"

namespace tombolo::tuning {

void add_options(CLI::App& command, Options& options) {
  constexpr const char* what = "What is tuned";
  constexpr const char* how = "How it is tuned";
  constexpr const char* kept = "What is kept and shown";
  timing::add_operations(command, options.operations, false);
  timing::add_bytes(command, options.bytes, what);
  command.add_option("--root", options.root, "A rank, or all: each in turn is a case of its own")
      ->capture_default_str()
      ->type_name("RANK|all")
      ->group(what);
  timing::add_platform_and_model(command, options.platform, options.model, how);
  command.add_option("--hosts", options.hosts, "Where --platform is a SimGrid description: the host file")
      ->transform(input_file())
      ->type_name("FILE")
      ->group(how);
  command
      .add_option("--candidates", options.candidates,
                  "Look closely at so many algorithms, those predicted to be the fastest, and at a flat one")
      ->capture_default_str()
      ->transform(whole_number(1, 1000))
      ->type_name("INT")
      ->group(how);
  timing::add_repeat(command, options.repeat, "", how);
  auto* output = command.add_option("-o,--output", options.output, "Keep the decisions here; default: only show them")
                     ->transform(output_file())
                     ->type_name("FILE.json")
                     ->group(kept);
  command
      .add_flag("--update", options.update,
                "Leave the other decisions of that file in it, and measured ones where nothing is measured now; "
                "default: begin anew")
      ->needs(output)
      ->group(kept);
  timing::add_format(command, options.format, kept);
}

}  // namespace tombolo::tuning
