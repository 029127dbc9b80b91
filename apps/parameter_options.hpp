#pragma once

#include <cstdint>
#include <map>
#include <optional>

#include <tombolo/collectives/plan/parameter_table.hpp>

namespace CLI {
class App;
}

namespace tombolo {

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
  void add_plan_options(CLI::App& command, const char* needed_option);
  /// Adds the options of `tombolo bench` to a group of its --help. What is not stated is predicted, so there is no 0
  /// for a parameter of the pattern.
  void add_bench_options(CLI::App& command, const char* group);

 private:
  std::map<Parameter, std::int64_t> values_;
};

}  // namespace tombolo
