#include "collectives/timing_options.hpp"

namespace tombolo::timing {

void add_operations(CLI::App& command, std::string& operations, bool required) {
  auto* option = command.add_option(
      "operations", operations,
      "Operations, as bcast,allreduce, or all. A regular name (gather) and its v-form are the same here");
  option->type_name("OP,...")->required(required);
  if (!required) option->capture_default_str();
}

void add_bytes(OptionGroup& group, std::string& bytes) {
  group.sizes(bytes,
              "Sizes, counted as the OSU benchmarks do: the vector that is broadcast or combined, one rank's block of "
              "scatter, gather and allgather, one pair's of alltoall");
}

void add_platform_and_model(OptionGroup& group, std::string& platform, std::string& model) {
  group.platform(platform,
                 "Plan and predict by this platform file; default: what tombolo discover has kept for these hosts");
  group.model(model, "the one that is believed");
}

void add_repeat(OptionGroup& group, Repeat& repeat, const std::string& none_timed) {
  group.integer("--least", repeat.least, "Repetitions at least; in a simulation two equal ones are enough", 1)
      ->capture_default_str();
  group
      .integer("--most", repeat.most, "Repetitions at most" + (none_timed.empty() ? "" : "; 0: only " + none_timed),
               none_timed.empty() ? 1 : 0)
      ->capture_default_str();
  group
      .value("--precision", repeat.precision,
             "Repeat until the 95 % interval of the median is that narrow to either side, as a part of it", "PART")
      ->capture_default_str()
      ->transform(number_within(1e-6, 1));
}

}  // namespace tombolo::timing
