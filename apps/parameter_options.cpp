#include "parameter_options.hpp"

#include <limits>

#include <fmt/format.h>

#include <tombolo/platform/error.hpp>

#include "validators.hpp"

namespace tombolo {

namespace {

bool concerns(const ParameterRow& row, const Algorithm& algorithm) {
  return row.kind == ParameterKind::messages || algorithm.heeds(row.parameter);
}

CLI::Option* add_option(CLI::App& command, const ParameterRow& row, std::int64_t least, const char* help,
                        std::map<Parameter, std::int64_t>& values) {
  const auto set = [&values, &row](std::int64_t value) { values[row.parameter] = value; };
  return command.add_option_function<std::int64_t>(row.option, set, help)
      ->transform(row.is_int ? whole_number(least, std::numeric_limits<int>::max()) : size_in_bytes(least))
      ->type_name(row.is_int ? "INT" : "SIZE");
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

void StatedParameters::add_plan_options(CLI::App& command, const char* needed_option) {
  for (const ParameterRow& row : parameter_rows()) {
    if (row.option == nullptr) continue;
    add_option(command, row, 0, row.plan_help, values_)->needs(command.get_option(needed_option));
  }
}

void StatedParameters::add_bench_options(CLI::App& command, const char* group) {
  for (const ParameterRow& row : parameter_rows()) {
    if (row.bench_help == nullptr) continue;
    const std::int64_t least = row.kind == ParameterKind::pattern ? 1 : 0;
    add_option(command, row, least, row.bench_help, values_)->group(group);
  }
}

}  // namespace tombolo
