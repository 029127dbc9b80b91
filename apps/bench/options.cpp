#include "bench/options.hpp"

#include <limits>

#include <tombolo/collectives/operation.hpp>

#include "size_range.hpp"
#include "validators.hpp"

namespace tombolo::benchmarking {

namespace {

constexpr const char* what = "What is timed";
constexpr const char* how = "How it is timed";
constexpr const char* shown = "What is shown";
constexpr int most_int = std::numeric_limits<int>::max();

void add_what(CLI::App& command, Options& options) {
  command
      .add_option("operations", options.operations,
                  "Operations, as bcast,allreduce, or all. A regular name (gather) and its v-form are the same here")
      ->required()
      ->type_name("OP,...");
  command
      .add_option("--bytes", options.bytes,
                  "Sizes, counted as the OSU benchmarks do: the vector that is broadcast or combined, one rank's block "
                  "of scatter, gather and allgather, one pair's of alltoall")
      ->capture_default_str()
      ->check(is_size_range())
      ->type_name("LOW:HIGH:xF")
      ->group(what);
  command
      .add_option("--impl", options.implementations, "MPI's own collectives, planned ones, or both in turns (default)")
      ->delimiter(',')
      ->check(CLI::IsMember({"native", "tombolo"}))
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
  command
      .add_option("--segment", options.segment, "Cut messages into segments of this size (0: none); default: predicted")
      ->transform(size_in_bytes())
      ->type_name("SIZE")
      ->group(what);
  command.add_option("--window", options.window, "Messages under way at a time (0: no limit); default: predicted")
      ->transform(whole_number(0, most_int))
      ->type_name("INT")
      ->group(what);
  command.add_option("--radix", options.radix, "Children of a tree, digits of an exchange; default: predicted")
      ->transform(whole_number(2, most_int))
      ->type_name("INT")
      ->group(what);
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
  command
      .add_option("--platform", options.platform,
                  "Plan and predict by this platform file; default: what tombolo discover has kept for these hosts, "
                  "else about a second of measuring")
      ->transform(file_name())
      ->type_name("FILE.json")
      ->group(how);
  command
      .add_option("--model", options.model,
                  "Predict by this one, which tombolo models has estimated; default: the one that is believed")
      ->type_name("NAME")
      ->group(how);
  command.add_option("--least", options.least, "Repetitions at least; in a simulation two equal ones are enough")
      ->capture_default_str()
      ->transform(whole_number(1, most_int))
      ->type_name("INT")
      ->group(how);
  command.add_option("--most", options.most, "Repetitions at most; 0: only --check")
      ->capture_default_str()
      ->transform(whole_number(0, most_int))
      ->type_name("INT")
      ->group(how);
  command
      .add_option("--precision", options.precision,
                  "Repeat until the 95 % interval of the median is that narrow to either side, as a part of it")
      ->capture_default_str()
      ->transform(number_within(1e-6, 1))
      ->type_name("PART")
      ->group(how);
  command
      .add_flag("--check", options.check,
                "Before timing, compare every result with MPI's own: elements with and without gaps, in place and not, "
                "operations that commute and one that does not")
      ->group(how);
}

void add_shown(CLI::App& command, Options& options) {
  command.add_flag("--times", options.keep_times, "With --format json: every single time")->group(shown);
  command.add_option("--plots", options.plots, "Draw times over sizes, a picture per operation, with the bound")
      ->transform(file_name())
      ->type_name("FOLDER")
      ->group(shown);
  add_choice<Format>(command, "--format", options.format,
                     {{"text", Format::text}, {"csv", Format::csv}, {"json", Format::json}},
                     "For people (text, the default) or for programs")
      ->type_name("text|csv|json")
      ->group(shown);
}

}  // namespace

void add_options(CLI::App& command, Options& options) {
  add_what(command, options);
  add_how(command, options);
  add_shown(command, options);
}

}  // namespace tombolo::benchmarking
