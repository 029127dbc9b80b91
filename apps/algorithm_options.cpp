#include "algorithm_options.hpp"

#include <limits>
#include <vector>

#include <fmt/format.h>

#include <tombolo/collectives/mapping/group_schedule.hpp>
#include <tombolo/units.hpp>

namespace tombolo {

std::vector<std::string> operation_names() {
  std::vector<std::string> names;
  for (const Operation operation : all_operations()) names.emplace_back(name(operation));
  return names;
}

void add_mapping_options(OptionGroup& group, MappingOptions& options) {
  auto* const mapping = group.choice<Mapping>(
      "--mapping", options.mapping,
      {{"good", Mapping::good}, {"pessimal", Mapping::pessimal}, {"ranks", Mapping::in_order}},
      "With the --algorithm of a tree: large messages over fast links (good), over slow ones (pessimal), or ranks "
      "upwards from the root (ranks, the default)",
      "good|pessimal|ranks");
  std::vector<std::string> names;
  for (const GroupSchedule* schedule : all_schedules()) names.emplace_back(schedule->name);
  group
      .value("--schedule", options.schedule,
             "With --algorithm mapped: messages go between clusters by this schedule, one of " + listed(names) +
                 "; 'ecef over binomial' states the shape inside clusters too, 'flat over binomial over binomial' a "
                 "schedule "
                 "for each level of clusters, outermost first",
             "NAME")
      ->excludes(mapping);
}

CLI::Option* add_no_detours(OptionGroup& group, bool& no_detours) {
  return group.flag("--no-detours", no_detours,
                    "Plans send every message directly, also where a way over other clusters is wider or shorter");
}

namespace {

bool concerns(const ParameterRow& row, const Algorithm& algorithm) {
  return row.kind == ParameterKind::messages || algorithm.heeds(row.parameter);
}

CLI::Option* add_option(OptionGroup& group, const ParameterRow& row, std::int64_t least, const char* help,
                        std::map<Parameter, std::int64_t>& values) {
  const auto set = [&values, &row](std::int64_t value) { values[row.parameter] = value; };
  return group.function<std::int64_t>(row.option, set, help, row.is_int ? "INT" : "SIZE")
      ->transform(row.is_int ? whole_number(least, std::numeric_limits<int>::max()) : size_in_bytes(least));
}

}  // namespace

std::optional<std::int64_t> StatedParameters::value(Parameter parameter) const {
  const auto found = values_.find(parameter);
  return found == values_.end() ? std::nullopt : std::optional(found->second);
}

Parameters StatedParameters::checked_for(const Algorithm& algorithm) const {
  Parameters parameters;
  for (const auto& [parameter, value] : values_) {
    const ParameterRow& row = row_of(parameter);
    if (value != 0 && !concerns(row, algorithm)) {
      throw Error(fmt::format("{} {} with --algorithm {} of {}, which does not heed it", row.option, value,
                              algorithm.name, name(algorithm.operation)),
                  fmt::format("leave out {}, or name another algorithm", row.option));
    }
    row.set(parameters, value);
  }
  return parameters;
}

Parameters StatedParameters::over(Parameters parameters, const Algorithm& algorithm) const {
  for (const auto& [parameter, value] : values_) {
    const ParameterRow& row = row_of(parameter);
    if (value == 0 || value >= row.least(algorithm)) {
      if (concerns(row, algorithm)) row.set(parameters, value);
    }
  }
  return parameters;
}

void StatedParameters::add_plan_options(OptionGroup& group, CLI::Option* needed) {
  for (const ParameterRow& row : parameter_rows()) {
    if (row.option != nullptr) add_option(group, row, 0, row.plan_help, values_)->needs(needed);
  }
}

void StatedParameters::add_bench_options(OptionGroup& group) {
  for (const ParameterRow& row : parameter_rows()) {
    const std::int64_t least = row.kind == ParameterKind::pattern ? 1 : 0;
    if (row.bench_help != nullptr) add_option(group, row, least, row.bench_help, values_);
  }
}

}  // namespace tombolo
