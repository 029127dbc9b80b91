#include <map>
#include <vector>

#include <fmt/format.h>

#include <tombolo/framework/report/table.hpp>
#include <tombolo/platform/readable.hpp>

#include "show/figures.hpp"
#include "show/text.hpp"

namespace tombolo::showing {

namespace {

constexpr std::size_t most_rows = 60;
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

}  // namespace

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
  for (std::size_t r = 0; r < rows.size() && r < most_rows; ++r) {
    table.add({pairs_text(row_pairs[r], platform.links.size()), rows[r][0], rows[r][1], rows[r][2]});
  }
  std::string text = table.text();
  if (rows.size() > most_rows) text += fmt::format("and {} more; --format json has all\n", rows.size() - most_rows);
  return text;
}

}  // namespace tombolo::showing
