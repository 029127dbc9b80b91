#include "collectives/bench_options.hpp"

namespace tombolo::benchmarking {

void add_options(CLI::App& command, Options& options) {
  timing::add_operations(command, options.operations, true);
  OptionGroup what(command, "What is timed");
  timing::add_bytes(what, options.bytes);
  what.choice<Counts>("--counts", options.counts,
                      {{"equal", Counts::equal}, {"zipf", Counts::zipf}, {"sparse", Counts::sparse}},
                      "Counts of " + operations_with_counts("and") +
                          ": all equal (default); the k-th largest 1 / k of the largest (zipf); three of four 0 "
                          "(sparse). --bytes is their mean then",
                      "equal|zipf|sparse");
  what.value("--impl", options.implementations, "MPI's own collectives, planned ones, or both in turns (default)",
             "native,tombolo")
      ->delimiter(',')
      ->check(one_of({"native", "tombolo"}));
  what.value("--algorithm", options.algorithm,
             "Of planned ones: the one predicted to be the fastest (best), every one there is (all), or a name", "NAME")
      ->capture_default_str();
  what.integer("--variants", options.variants,
               "Of each algorithm, time this many settings of its segments, windows, radix: those predicted to be the "
               "fastest",
               1)
      ->capture_default_str();
  options.stated.add_bench_options(what);
  add_mapping_options(what, options.mapping);
  add_no_detours(what, options.no_detours);
  what.value("--root", options.root,
             "A rank; all: each in turn is a case of its own; rotate: the next one each time; turns: a time is that of "
             "all in turn, with an acknowledged barrier after each",
             "RANK|all|rotate|turns")
      ->capture_default_str();

  OptionGroup how(command, "How it is timed");
  timing::add_platform_and_model(how, options.platform, options.model);
  how.tuning(options.tuning);
  timing::add_repeat(how, options.repeat, "--check");
  how.flag("--check", options.check,
           "Before timing, compare every result with MPI's own: elements with and without gaps, in place and not, "
           "operations that commute and one that does not");

  OptionGroup shown(command, "What is shown");
  shown.flag("--times", options.keep_times, "With --format json: every single time");
  shown.output("--plots", options.plots, "Draw times over sizes, a picture per operation, with the bound", "FOLDER");
  shown.format(options.format);
}

}  // namespace tombolo::benchmarking
