#include "mapping_options.hpp"

#include <tombolo/collectives/mapping/group_schedule.hpp>

#include "validators.hpp"

namespace tombolo {

void add_mapping_options(CLI::App& command, MappingOptions& options) {
  auto* mapping =
      add_choice<std::optional<Mapping>>(
          command, "--mapping", options.mapping,
          {{"good", Mapping::good}, {"pessimal", Mapping::pessimal}, {"ranks", Mapping::in_order}},
          "With the --algorithm of a tree: large messages over fast links (good), over slow ones (pessimal), or ranks "
          "upwards from the root (ranks, the default)")
          ->type_name("good|pessimal|ranks");
  std::vector<std::string> names;
  for (const GroupSchedule* schedule : all_schedules()) names.emplace_back(schedule->name);
  command
      .add_option("--schedule", options.schedule,
                  "With --algorithm mapped: messages go between clusters by this schedule, one of " + listed(names) +
                      "; 'ecef over binomial' states the shape inside clusters too")
      ->excludes(mapping)
      ->type_name("NAME");
}

}  // namespace tombolo
