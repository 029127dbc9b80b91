#include "models/options.hpp"

#include <tombolo/collectives/plan/algorithm.hpp>
#include <tombolo/models/kinds/model_kind.hpp>

#include "files.hpp"
#include "size_range.hpp"
#include "validators.hpp"

namespace tombolo::modelling {

namespace {

std::vector<std::string> model_names() {
  std::vector<std::string> names;
  for (const ModelKind* kind : all_models()) names.emplace_back(kind->name);
  return names;
}

std::vector<std::string> operation_names() {
  std::vector<std::string> names;
  for (const Algorithm* algorithm : all_algorithms()) {
    const std::string word(name(algorithm->operation));
    if (names.empty() || names.back() != word) names.push_back(word);
  }
  return names;
}

}  // namespace

void add_options(CLI::App& command, Options& options) {
  command
      .add_option("--platform", options.platform,
                  "A platform file; default: what tombolo discover has kept for these hosts, else it is discovered")
      ->transform(input_file())
      ->type_name("FILE");
  command
      .add_option(
          "-o,--output", options.output,
          "Write the platform with its models here; default: where those of these hosts are kept, or, with --platform, "
          "nowhere")
      ->transform(output_file())
      ->type_name("FILE.json");
  command.add_option("--models", options.models, "Estimate only these: " + listed(model_names()) + "; default: all")
      ->delimiter(',')
      ->check(one_of(model_names()))
      ->type_name("NAME,...");
  command.add_option("--ops", options.operations, "Time only these: " + listed(operation_names()) + "; default: all")
      ->delimiter(',')
      ->check(one_of(operation_names()))
      ->type_name("NAME,...");
  command
      .add_option("--bytes", options.bytes,
                  "Sizes at which models are judged; those between are what the choice of models is fitted to")
      ->capture_default_str()
      ->check(is_size_range())
      ->type_name("LOW:HIGH:xF");
  command.add_flag("--anew", options.anew,
                   "Estimate all models again, even those that the platform has, and thresholds");
  command.add_flag("--serial", options.serial, "Experiments one after the other, not in parallel");
  command.add_flag("--estimate-only", options.estimate_only,
                   "Do not time collectives to judge models by; thresholds are looked for all the same");
  command.add_flag("--no-thresholds", options.no_thresholds,
                   "Do not look for the sizes between which gathers escalate and above which scatters are serial");
  command
      .add_option("--plots", options.plots, "Draw predicted and measured times, a picture per cluster and operation")
      ->transform(output_file())
      ->type_name("FOLDER");
  add_choice<Format>(command, "--format", options.format,
                     {{"text", Format::text}, {"csv", Format::csv}, {"json", Format::json}},
                     "For people (text, the default), or every prediction beside its measurement (csv, json)")
      ->type_name("text|csv|json");
}

}  // namespace tombolo::modelling
