#include "plan/options.hpp"

#include <limits>
#include <vector>

#include <tombolo/collectives/request/operation.hpp>

#include "files.hpp"
#include "tuning_option.hpp"
#include "validators.hpp"

namespace tombolo::planning {

void add_options(CLI::App& command, Options& options) {
  constexpr int most = std::numeric_limits<int>::max();
  std::vector<std::string> operations;
  for (const Operation known : all_operations()) operations.emplace_back(name(known));
  command.add_option("operation", options.operation, "One of " + listed(operations))->required()->type_name("");
  command
      .add_option("--bytes", options.bytes,
                  "The vector that is broadcast, combined or scanned, one rank's block of scatterv, gatherv and "
                  "allgatherv, one "
                  "pair's of alltoallv")
      ->capture_default_str()
      ->transform(size_in_bytes())
      ->type_name("SIZE");
  auto* platform =
      command
          .add_option(
              "--platform", options.platform,
              "Plan for the ranks and links of this platform: a file of tombolo discover or a SimGrid description")
          ->transform(input_file())
          ->type_name("FILE");
  command.add_option("--hosts", options.hosts, "With a description: the host file, rank k on line k")
      ->transform(input_file())
      ->needs(platform)
      ->type_name("FILE");
  command
      .add_option(
          "--model", options.model,
          "Predict by this one, which tombolo models has estimated; default: for each algorithm the one that is "
          "believed, else what the platform knows of links")
      ->needs(platform)
      ->type_name("NAME");
  add_tuning(command, options.tuning)
      ->description("Say what tombolo tune decided in this file, and what would be chosen without it")
      ->needs(platform);
  command.add_option("--ranks", options.ranks, "Number of ranks")
      ->excludes(platform)
      ->capture_default_str()
      ->transform(whole_number(1, 1 << 16))
      ->type_name("INT");
  command.add_option("--root", options.root, "The root")
      ->capture_default_str()
      ->transform(whole_number(0, most))
      ->type_name("RANK");
  auto* algorithm =
      command.add_option("--algorithm", options.algorithm, "Use this one; default: the one predicted to be fastest")
          ->type_name("NAME");
  algorithm->excludes("--tuning");
  options.stated.add_plan_options(command, "--algorithm");
  add_mapping_options(command, options.mapping);
  for (const char* option : {"--mapping", "--schedule"}) command.get_option(option)->needs(algorithm);
  command.add_option("--latency", options.latency_us, "Latency of a message, in microseconds")
      ->excludes(platform)
      ->capture_default_str()
      ->type_name("US");
  command.add_option("--rate", options.rate_mb, "Rate of a link, in MB/s (10^6 bytes)")
      ->excludes(platform)
      ->capture_default_str()
      ->type_name("MB/S");
  command.add_option("--rank", options.rank, "Show every step of this rank instead of tree and timeline")
      ->transform(whole_number(0, most))
      ->type_name("RANK");
  add_choice<bool>(command, "--format", options.json, {{"text", false}, {"json", true}},
                   "For people (text, the default) or for programs")
      ->type_name("text|json");
}

}  // namespace tombolo::planning
