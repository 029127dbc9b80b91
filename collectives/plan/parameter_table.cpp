#include <fmt/format.h>

#include <tombolo/collectives/plan/parameter_table.hpp>
#include <tombolo/units.hpp>

namespace tombolo {

namespace {

template <class Value>
std::string joined(Value value) {
  std::string text;
  for (const ParameterRow& row : parameter_rows()) {
    if (!row.column.empty()) text += fmt::format("{}{}", text.empty() ? "" : ",", value(row));
  }
  return text;
}

}  // namespace

std::span<const ParameterRow> parameter_rows() {
#define TOMBOLO_PARAMETER(type, member, ...)                                                          \
  ParameterRow{.parameter = Parameter::member,                                                        \
               .get = [](const Parameters& p) { return static_cast<std::int64_t>(p.member); },        \
               .set = [](Parameters& p, std::int64_t value) { p.member = static_cast<type>(value); }, \
               .is_int = sizeof(type) < sizeof(std::int64_t),                                         \
               __VA_ARGS__},
  static constexpr auto rows = std::to_array<ParameterRow>({
#include <tombolo/collectives/plan/parameters.def>
  });
#undef TOMBOLO_PARAMETER
  return rows;
}

const ParameterRow& row_of(Parameter parameter) {
  return parameter_rows()[static_cast<std::size_t>(parameter)];
}

void check_scalars(const Parameters& parameters, const Algorithm& algorithm) {
  for (const ParameterRow& row : parameter_rows()) {
    const std::int64_t value = row.get(parameters);
    const std::int64_t least = row.least(algorithm);
    if (value == 0 || value >= least) continue;
    throw Error(fmt::format("a {} of {}", row.name, value),
                fmt::format("give {} or more, or 0{}", least,
                            row.kind == ParameterKind::pattern ? " for the algorithm's own" : ""));
  }
}

std::string text_of_scalars(const Parameters& parameters) {
  std::string text;
  for (const ParameterKind kind : {ParameterKind::pattern, ParameterKind::messages}) {
    for (const ParameterRow& row : parameter_rows()) {
      const std::int64_t value = row.get(parameters);
      if (row.kind != kind || value == 0 || (row.text_needs && row_of(*row.text_needs).get(parameters) == 0)) continue;
      text += fmt::format(fmt::runtime(row.text), value);
    }
  }
  return text;
}

std::string parameter_columns() {
  return joined([](const ParameterRow& row) { return row.column; });
}

std::string parameter_values(const Parameters& parameters) {
  return joined([&](const ParameterRow& row) {
    const std::int64_t value = row.get(parameters);
    return row.is_flag() ? std::string(row.words[value != 0 ? 1 : 0]) : fmt::format("{}", value);
  });
}

}  // namespace tombolo
