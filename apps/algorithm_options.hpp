#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <tombolo/collectives/mapping/placement.hpp>
#include <tombolo/collectives/plan/parameter_table.hpp>

#include "option_group.hpp"

namespace tombolo {

/// Returns the names of all operations, for help and errors.
std::vector<std::string> operation_names();

/// How a planned collective that is named is to be mapped to the platform, stated rather than chosen.
struct MappingOptions {
  std::optional<Mapping> mapping{};  ///< which ranks take the places of its tree; nothing: upwards from the root
  std::string schedule;              ///< of an algorithm that is mapped, as stated_schedule() reads it; empty: chosen
  bool any() const { return mapping || !schedule.empty(); }
};

/// Adds --mapping and --schedule, which exclude each other.
void add_mapping_options(OptionGroup& group, MappingOptions& options);

/// Adds --no-detours.
CLI::Option* add_no_detours(OptionGroup& group, bool& no_detours);

/// The scalar parameters of an algorithm that the user has stated.
class StatedParameters {
 public:
  bool any() const { return !values_.empty(); }
  std::optional<std::int64_t> value(Parameter parameter) const;

  /// Returns the stated values, 0 for the other parameters. Throws Error for a parameter of the pattern that the
  /// algorithm does not use.
  Parameters checked_for(const Algorithm& algorithm) const;
  /// Returns `parameters` with the stated values, except parameters of the pattern that the algorithm does not use and
  /// values that it does not take.
  Parameters over(Parameters parameters, const Algorithm& algorithm) const;

  /// Adds the options of `tombolo plan`. The value 0 of a parameter of the pattern is the algorithm's own.
  void add_plan_options(OptionGroup& group, CLI::Option* needed);
  /// Adds the options of `tombolo bench`. What is not stated is predicted, so there is no 0 for a parameter of the
  /// pattern.
  void add_bench_options(OptionGroup& group);

 private:
  std::map<Parameter, std::int64_t> values_;
};

}  // namespace tombolo
