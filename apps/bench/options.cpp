#include "bench/options.hpp"

#include <limits>

#include "files.hpp"
#include "tuning_option.hpp"
#include "validators.hpp"

namespace tombolo::benchmarking {

namespace {

constexpr const char* what = "What is timed";
constexpr const char* how = "How it is timed";
constexpr const char* shown = "What is shown";
constexpr int most_int = std::numeric_limits<int>::max();

void add_what(CLI::App& command, Options& options) {
  timing::add_operations(command, options.operations, true);
  timing::add_bytes(command, options.bytes, what);
  add_choice<Counts>(command, "--counts", options.counts,
                     {{"equal", Counts::equal}, {"zipf", Counts::zipf}, {"sparse", Counts::sparse}},
                     "Counts of " + operations_with_counts("and") +
                         ": all equal (default); the k-th largest 1 / k of the largest (zipf); three of four 0 "
                         "(sparse). --bytes is their mean then")
      ->type_name("equal|zipf|sparse")
      ->group(what);
  command
      .add_option("--impl", options.implementations, "MPI's own collectives, planned ones, or both in turns (default)")
      ->delimiter(',')
      ->check(one_of({"native", "tombolo"}))
      ->type_name("native,tombolo")
      ->group(what);
  command
      .add_option("--algorithm", options.algorithm,
                  "Of planned ones: the one predicted to be the fastest (best), every one there is (all), or a name")
      ->capture_default_str()
      ->type_name("NAME")
      ->group(what);
  command
      .add_option("--variants", options.variants,
                  "Of each algorithm, time this many settings of its segments, windows, radix: those predicted to be "
                  "the fastest")
      ->capture_default_str()
      ->transform(whole_number(1, most_int))
      ->type_name("INT")
      ->group(what);
  options.stated.add_bench_options(command, what);
  add_mapping_options(command, options.mapping);
  for (const char* option : {"--mapping", "--schedule"}) command.get_option(option)->group(what);
  command
      .add_option(
          "--root", options.root,
          "A rank; all: each in turn is a case of its own; rotate: the next one each time; turns: a time is that "
          "of all in turn, with an acknowledged barrier after each")
      ->capture_default_str()
      ->type_name("RANK|all|rotate|turns")
      ->group(what);
}

void add_how(CLI::App& command, Options& options) {
  timing::add_platform_and_model(command, options.platform, options.model, how);
  add_tuning(command, options.tuning)->group(how);
  timing::add_repeat(command, options.repeat, "--check", how);
  command
      .add_flag("--check", options.check,
                "Before timing, compare every result with MPI's own: elements with and without gaps, in place and not, "
                "operations that commute and one that does not")
      ->group(how);
}

void add_shown(CLI::App& command, Options& options) {
  command.add_flag("--times", options.keep_times, "With --format json: every single time")->group(shown);
  command.add_option("--plots", options.plots, "Draw times over sizes, a picture per operation, with the bound")
      ->transform(output_file())
      ->type_name("FOLDER")
      ->group(shown);
  timing::add_format(command, options.format, shown);
}

}  // namespace

void add_options(CLI::App& command, Options& options) {
  add_what(command, options);
  add_how(command, options);
  add_shown(command, options);
}

}  // namespace tombolo::benchmarking
