#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include <tombolo/collectives/plan/algorithm.hpp>

namespace tombolo {

/// The effect of a scalar parameter.
enum class ParameterKind : std::uint8_t {
  pattern,  ///< on the pattern of communication of the algorithms that use it; 0 is the algorithm's own value
  messages  ///< on how any algorithm sends its messages; without effect where an algorithm has no use for it
};

/// A scalar parameter: a row of parameters.def, whose columns begin with `kind`.
struct ParameterRow {
  Parameter parameter;
  std::int64_t (*get)(const Parameters&);
  void (*set)(Parameters&, std::int64_t);
  bool is_int;  ///< an int, or a flag; else Bytes

  ParameterKind kind;
  const char* name;                         ///< in JSON and in errors
  std::string_view text;                    ///< in Plan::how(), a format of the value; left out for 0
  std::optional<Parameter> text_needs{};    ///< the text is left out if this other parameter is 0
  std::string_view column{};                ///< in CSV; empty: none
  std::array<std::string_view, 2> words{};  ///< of a flag, a boolean in JSON: the words for 0 and 1 in CSV
  const char* option = nullptr;             ///< of commands, with its help; null: none
  const char* plan_help = nullptr;          ///< help of the option of `tombolo plan`
  const char* bench_help = nullptr;         ///< help of the option of `tombolo bench`; null: no option there

  bool is_flag() const { return !words[0].empty(); }
  /// The least valid value besides 0.
  std::int64_t least(const Algorithm& algorithm) const {
    return parameter == Parameter::radix ? algorithm.least_radix : 1;
  }
};

/// The rows in the order of parameters.def; row i describes Parameter i.
std::span<const ParameterRow> parameter_rows();
const ParameterRow& row_of(Parameter parameter);

/// Throws Error for an invalid scalar parameter.
void check_scalars(const Parameters& parameters, const Algorithm& algorithm);

/// The scalar parameters that are not 0, those of the pattern first: ", radix 4, segments of 8192 B, window 2 per
/// rank".
std::string text_of_scalars(const Parameters& parameters);

/// Names and values of the scalar parameters in CSV, separated by commas: "segment,window,lanes,radix,delay" and
/// "8192,2,link,4,0".
std::string parameter_columns();
std::string parameter_values(const Parameters& parameters);

}  // namespace tombolo
