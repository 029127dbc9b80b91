#include "platforms/text.hpp"

#include <map>
#include <set>
#include <tuple>
#include <vector>

#include <fmt/format.h>

#include <tombolo/framework/partition/stored_kernels.hpp>
#include <tombolo/framework/report/table.hpp>
#include <tombolo/platform/readable.hpp>
#include <tombolo/platform/system/posix_file.hpp>

#include "platforms/figures.hpp"

namespace tombolo::showing {

namespace {

constexpr std::size_t most_rows = 40;

std::string kernels_text(const Platform& platform) {
  const auto kernels = stored_kernels(platform);
  if (kernels.empty()) return "";
  Table table({"kernel", "size", "ranks", "speed of a rank", "measured"}, "<>>><");
  std::size_t rows = 0;
  std::size_t left_out = 0;
  for (const auto& [name, speeds] : kernels) {
    std::set<std::int64_t> sizes;
    for (const SpeedFunction& function : speeds.by_rank) {
      for (const SpeedPoint& point : function.points()) sizes.insert(point.size);
    }
    const std::string date = speeds.date.empty() ? "-" : printable(speeds.date);
    for (const std::int64_t size : sizes) {
      Range range;
      std::size_t ranks = 0;
      for (const SpeedFunction& function : speeds.by_rank) {
        for (const SpeedPoint& point : function.points()) {
          if (point.size != size) continue;
          range.add(point.speed);
          ++ranks;
        }
      }
      if (++rows > most_rows) {
        ++left_out;
        continue;
      }
      const auto shown = [&unit = speeds.unit](std::int64_t value) {
        return in_thousands(value, printable(unit) + "/s");
      };
      table.add({printable(name), std::to_string(size), std::to_string(ranks), range.text(shown), date});
    }
  }
  std::string text = "speeds of kernels, by problem size\n" + table.text();
  if (left_out > 0) text += fmt::format("and {} more\n", left_out);
  return text;
}

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

constexpr std::size_t most_link_rows = 60;
constexpr std::size_t most_pairs = 3;  // that are named in one row

std::vector<Range> host_latencies(const Platform& platform, const std::vector<const Level*>& all) {
  std::map<std::string, Picoseconds> own;
  for (const Host& host : platform.hosts) own[host.name] = host.latency.value;
  std::vector<Range> ranges;
  for (const Level* cluster : all) {
    Range& range = ranges.emplace_back();
    for (const Level& host : cluster->children) range.add(own.at(host.name));
  }
  return ranges;
}

std::string pairs_text(const std::vector<std::string>& pairs, std::size_t all_pairs) {
  if (pairs.size() == all_pairs && pairs.size() > most_pairs) return fmt::format("any two ({} pairs)", all_pairs);
  std::string text;
  for (std::size_t p = 0; p < pairs.size() && p < most_pairs; ++p) text += (p == 0 ? "" : ", ") + pairs[p];
  if (pairs.size() > most_pairs) text += fmt::format(" and {} more", pairs.size() - most_pairs);
  return text;
}

std::string links_text(const Platform& platform) {
  if (platform.links.empty()) return "";
  const std::vector<const Level*> all = clusters(platform.levels);
  const std::vector<Range> own = host_latencies(platform, all);
  std::vector<std::vector<std::string>> rows;       // of figures
  std::vector<std::vector<std::string>> row_pairs;  // that have them
  std::map<std::vector<std::string>, std::size_t> row_of;
  for (const Link& link : platform.links) {
    const auto a = static_cast<std::size_t>(link.a);
    const auto b = static_cast<std::size_t>(link.b);
    Range range;
    range.add(own[a].least + link.latency.value + own[b].least);
    range.add(own[a].most + link.latency.value + own[b].most);
    std::string time = range.text([](Picoseconds value) { return readable(value); });
    constexpr std::int64_t digits = 10'000;  // shown
    if (link.latency.error > range.least / digits) time += fmt::format(" +- {}", readable(link.latency.error));
    std::string together = rate(link.total);
    if (link.total.value > 0) together += fmt::format(" by {}", link.flows);
    const std::vector<std::string> figures = {time, rate(link.rate), together};
    const auto [row, is_new] = row_of.try_emplace(figures, rows.size());
    if (is_new) {
      rows.push_back(figures);
      row_pairs.emplace_back();
    }
    row_pairs[row->second].push_back(all[a]->name + " - " + all[b]->name);
  }
  Table table({"between hosts of", "latency", "one message", "together"}, "<>>>");
  for (std::size_t r = 0; r < rows.size() && r < most_link_rows; ++r) {
    table.add({pairs_text(row_pairs[r], platform.links.size()), rows[r][0], rows[r][1], rows[r][2]});
  }
  std::string text = table.text();
  if (rows.size() > most_link_rows)
    text += fmt::format("and {} more; --format json has all\n", rows.size() - most_link_rows);
  return text;
}

std::string lines_text(const Platform& platform) {
  std::string text;
  const std::vector<const Level*> all = clusters(platform.levels);
  for (const SharedLine& line : platform.lines) {
    std::vector<std::string> pairs;
    for (const auto& [from, to] : line.pairs) {
      pairs.push_back(all[static_cast<std::size_t>(from)]->name + " - " + all[static_cast<std::size_t>(to)]->name);
    }
    text += fmt::format("a line of {} is shared by {}\n", rate(line.rate), pairs_text(pairs, platform.links.size()));
  }
  return text;
}

std::string origin_text(const Platform& platform) {
  const Origin& origin = platform.origin;
  std::string text = origin.source.empty() ? "of unknown origin" : printable(origin.source);
  if (!origin.mpi.empty()) text += fmt::format(", {}", printable(origin.mpi));
  if (origin.simulated) text += ", simulated";
  if (origin.messages > 0) {
    text += fmt::format(", {} in {:.3g} s", counted(origin.messages, "message"), origin.seconds);
  }
  return text + "\n";
}

std::string not_measured_text(const Platform& platform) {
  std::string text;
  for (const std::string& what : platform.origin.not_measured) text += fmt::format("  {}\n", printable(what));
  return text.empty() ? text : fmt::format("\nnot known\n{}", text);
}

}  // namespace

std::string to_text(const Platform& platform) {
  const std::size_t clusters_found = clusters(platform.levels).size();
  std::string text = origin_text(platform);
  text += fmt::format("{} on {} in {}\n\n", counted(platform.processors.size(), "rank"),
                      counted(platform.hosts.size(), "host"), counted(clusters_found, "cluster"));
  text += levels_text(platform);
  const std::string links = links_text(platform);
  if (!links.empty()) text += fmt::format("\n{}", links);
  if (!platform.lines.empty()) text += fmt::format("\n{}", lines_text(platform));
  text += fmt::format("\n{}", processors_text(platform));
  const std::string kernels = kernels_text(platform);
  if (!kernels.empty()) text += fmt::format("\n{}", kernels);
  return text + not_measured_text(platform);
}

}  // namespace tombolo::showing
