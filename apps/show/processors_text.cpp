#include <map>
#include <set>
#include <tuple>
#include <vector>

#include <fmt/format.h>

#include <tombolo/framework/report/table.hpp>

#include "show/figures.hpp"
#include "show/text.hpp"

namespace tombolo::showing {

namespace {

constexpr std::size_t most_rows = 40;
constexpr std::size_t most_columns = 6;

using Type = std::tuple<std::string, int, int>;  // model, cores, threads
using Types = std::map<Type, std::vector<const Processor*>>;

Types types_of(const Platform& platform) {
  Types types;
  for (const Processor& processor : platform.processors) {
    const std::string model = processor.model.empty() ? "unknown" : processor.model;
    types[{model, processor.cores, processor.threads}].push_back(&processor);
  }
  return types;
}

// Mean speeds by problem size, of the types that have any.
std::string speeds_text(const Types& types) {
  std::vector<std::string> headings = {"size"};
  std::vector<std::map<std::int64_t, std::pair<double, int>>> columns;  // sum and number by size
  std::set<std::int64_t> sizes;
  for (const auto& [type, processors] : types) {
    std::map<std::int64_t, std::pair<double, int>> column;
    for (const Processor* processor : processors) {
      for (const SpeedPoint& point : processor->speeds) {
        auto& [sum, number] = column[point.size];
        sum += static_cast<double>(point.speed);
        ++number;
        sizes.insert(point.size);
      }
    }
    if (column.empty() || columns.size() == most_columns) continue;
    headings.push_back(std::get<0>(type));
    columns.push_back(std::move(column));
  }
  if (columns.empty()) return "";
  Table table(std::move(headings), std::string(columns.size() + 1, '>'));
  std::size_t rows = 0;
  for (const std::int64_t size : sizes) {
    if (++rows > most_rows) break;
    std::vector<std::string> row = {std::to_string(size)};
    for (const auto& column : columns) {
      const auto found = column.find(size);
      row.push_back(
          found == column.end() ? "-" : speed(static_cast<FlopsPerSecond>(found->second.first / found->second.second)));
    }
    table.add(std::move(row));
  }
  std::string text = "\nspeeds of square products\n" + table.text();
  if (sizes.size() > most_rows) text += fmt::format("and {} more sizes\n", sizes.size() - most_rows);
  return text;
}

}  // namespace

std::string processors_text(const Platform& platform) {
  const Types types = types_of(platform);
  Table table({"processor", "ranks", "cores", "threads", "speed of a rank"}, "<>>>>");
  std::size_t rows = 0;
  for (const auto& [type, processors] : types) {
    if (++rows > most_rows) break;
    Range speeds;
    for (const Processor* processor : processors) speeds.add(processor->speed);
    const auto& [model, cores, threads] = type;
    const auto shown = [](std::int64_t value) { return speed(value); };
    table.add(
        {model, std::to_string(processors.size()), std::to_string(cores), std::to_string(threads), speeds.text(shown)});
  }
  std::string text = table.text();
  if (types.size() > most_rows) text += fmt::format("and {} more\n", types.size() - most_rows);
  return text + speeds_text(types);
}

}  // namespace tombolo::showing
