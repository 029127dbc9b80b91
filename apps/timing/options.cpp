#include "timing/options.hpp"

#include <limits>

#include "files.hpp"
#include "size_range.hpp"
#include "validators.hpp"

namespace tombolo::timing {

void add_operations(CLI::App& command, std::string& operations, bool required) {
  auto* option = command.add_option(
      "operations", operations,
      "Operations, as bcast,allreduce, or all. A regular name (gather) and its v-form are the same here");
  option->type_name("OP,...")->required(required);
  if (!required) option->capture_default_str();
}

void add_bytes(CLI::App& command, std::string& bytes, const std::string& group) {
  command
      .add_option("--bytes", bytes,
                  "Sizes, counted as the OSU benchmarks do: the vector that is broadcast or combined, one rank's block "
                  "of scatter, gather and allgather, one pair's of alltoall")
      ->capture_default_str()
      ->check(is_size_range())
      ->type_name("LOW:HIGH:xF")
      ->group(group);
}

void add_platform_and_model(CLI::App& command, std::string& platform, std::string& model, const std::string& group) {
  command
      .add_option("--platform", platform,
                  "Plan and predict by this platform file; default: what tombolo discover has kept for these hosts, "
                  "else about a second of measuring")
      ->transform(input_file())
      ->type_name("FILE.json")
      ->group(group);
  command
      .add_option("--model", model,
                  "Predict by this one, which tombolo models has estimated; default: the one that is believed")
      ->type_name("NAME")
      ->group(group);
}

void add_repeat(CLI::App& command, Repeat& repeat, const std::string& none_timed, const std::string& group) {
  constexpr int most_int = std::numeric_limits<int>::max();
  command.add_option("--least", repeat.least, "Repetitions at least; in a simulation two equal ones are enough")
      ->capture_default_str()
      ->transform(whole_number(1, most_int))
      ->type_name("INT")
      ->group(group);
  command
      .add_option("--most", repeat.most, "Repetitions at most" + (none_timed.empty() ? "" : "; 0: only " + none_timed))
      ->capture_default_str()
      ->transform(whole_number(none_timed.empty() ? 1 : 0, most_int))
      ->type_name("INT")
      ->group(group);
  command
      .add_option("--precision", repeat.precision,
                  "Repeat until the 95 % interval of the median is that narrow to either side, as a part of it")
      ->capture_default_str()
      ->transform(number_within(1e-6, 1))
      ->type_name("PART")
      ->group(group);
}

void add_format(CLI::App& command, Format& format, const std::string& group) {
  add_choice<Format>(command, "--format", format,
                     {{"text", Format::text}, {"csv", Format::csv}, {"json", Format::json}},
                     "For people (text, the default) or for programs")
      ->type_name("text|csv|json")
      ->group(group);
}

}  // namespace tombolo::timing
