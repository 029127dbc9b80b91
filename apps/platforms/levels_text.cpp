#include <algorithm>
#include <map>
#include <vector>

#include <fmt/format.h>

#include <tombolo/platform/readable.hpp>

#include "platforms/figures.hpp"
#include "platforms/text.hpp"

namespace tombolo::showing {

namespace {

constexpr std::size_t most_kinds = 8;  // of hosts in a cluster, each on a line

std::string noun(Level::Kind kind) {
  switch (kind) {
    case Level::Kind::package:
      return "package";
    case Level::Kind::numa:
      return "memory node";
    case Level::Kind::cache:
      return "cache";
    case Level::Kind::core:
      return "core";
    default:
      return "rank";
  }
}

// "400 ns, 8 GB/s between 2 packages; in each 150 ns between 4 ranks"
std::string inside(const Level& level) {
  if (level.children.empty()) return "";
  std::string text = latency(level.latency);
  if (level.rate.value > 0) text += ", " + rate(level.rate);
  std::map<std::string, std::size_t> nouns;
  for (const Level& child : level.children) ++nouns[noun(child.kind)];
  std::string parts;
  for (const auto& [name, count] : nouns) parts += (parts.empty() ? "" : " and ") + counted(count, name);
  text += " between " + parts;
  const std::string first = inside(level.children.front());
  const bool alike = std::all_of(level.children.begin(), level.children.end(),
                                 [&](const Level& child) { return inside(child) == first; });
  if (alike && !first.empty()) text += "; in each " + first;
  return text;
}

class Tree {
 public:
  explicit Tree(const Platform& platform) : platform_(platform) {
    for (const Host& host : platform.hosts) hosts_[host.name] = &host;
  }

  std::string text() {
    draw(platform_.levels, "", "");
    return text_;
  }

 private:
  const Host& host(const Level& level) const { return *hosts_.at(level.name); }

  std::size_t hosts_in(const Level& level) const {
    if (level.kind == Level::Kind::cluster) return level.children.size();
    std::size_t count = 0;
    for (const Level& child : level.children) count += hosts_in(child);
    return count;
  }

  Range speeds(const std::vector<Rank>& ranks) const {
    Range range;
    for (const Rank rank : ranks) range.add(platform_.processors[static_cast<std::size_t>(rank)].speed);
    return range;
  }

  // From the fastest two hosts to the slowest two.
  std::string latency_inside(const Level& cluster) const {
    std::vector<Picoseconds> own;
    for (const Level& level : cluster.children) own.push_back(host(level).latency.value);
    std::sort(own.begin(), own.end());
    Range range;
    range.add(own[0] + own[1] + cluster.latency.value);
    range.add(own[own.size() - 1] + own[own.size() - 2] + cluster.latency.value);
    return range.text([](Picoseconds time) { return readable(time); });
  }

  std::string cluster_line(const Level& cluster) const {
    std::string line = counted(cluster.children.size(), "host") + ", " + counted(cluster.ranks.size(), "rank");
    Range rates;
    for (const Level& level : cluster.children) rates.add(host(level).rate.value);
    if (cluster.children.size() > 1) {
      line += ", " + latency_inside(cluster);
      if (cluster.latency.error > 0) line += fmt::format(" +- {}", readable(cluster.latency.error));
      line += " inside";
    }
    const auto shown = [](std::int64_t value) { return rate(value); };
    if (rates.most > 0) line += ", " + rates.text(shown) + " a host";
    if (cluster.uplink.value > 0) line += ", uplink " + rate(cluster.uplink);
    if (cluster.backbone.value > 0) line += ", backbone " + rate(cluster.backbone);
    return line;
  }

  // Returns the shown figures of a host, by which it may differ from others of its cluster.
  std::string figures(const Level& level) const {
    const Host& of = host(level);
    const Processor& first = platform_.processors[static_cast<std::size_t>(level.ranks.front())];
    std::string text = latency(of.latency);
    if (of.rate.value > 0) text += ", " + rate(of.rate);
    if (first.cores > 1) text += ", " + counted(first.cores, "core");
    if (level.ranks.size() > 1) text += ", " + counted(level.ranks.size(), "rank") + ": " + inside(level);
    const Range speed_range = speeds(level.ranks);
    const auto shown = [](std::int64_t value) { return speed(value); };
    if (speed_range.most > 0) text += ", " + speed_range.text(shown) + (level.ranks.size() > 1 ? " a rank" : "");
    return text;
  }

  void draw_hosts(const Level& cluster, const std::string& indent) {
    std::vector<std::string> names;
    std::vector<std::pair<std::string, std::vector<std::size_t>>> kinds;
    std::map<std::string, std::size_t> kind_of;
    for (std::size_t h = 0; h < cluster.children.size(); ++h) {
      names.push_back(cluster.children[h].name);
      const std::string shown = figures(cluster.children[h]);
      const auto [kind, is_new] = kind_of.try_emplace(shown, kinds.size());
      if (is_new) kinds.emplace_back(shown, std::vector<std::size_t>());
      kinds[kind->second].second.push_back(h);
    }
    if (kinds.size() > most_kinds) {
      std::vector<std::size_t> all(names.size());
      for (std::size_t h = 0; h < all.size(); ++h) all[h] = h;
      const auto shown = [](std::int64_t value) { return speed(value); };
      text_ += fmt::format("{}`- {}: no two alike, {} a rank\n", indent, folded(names, all),
                           speeds(cluster.ranks).text(shown));
      return;
    }
    for (std::size_t k = 0; k < kinds.size(); ++k) {
      const bool last = k + 1 == kinds.size();
      text_ += fmt::format("{}{} {}: {}{}\n", indent, last ? "`-" : "|-", folded(names, kinds[k].second),
                           kinds[k].second.size() > 1 ? "each " : "", kinds[k].first);
    }
  }

  void draw(const Level& level, const std::string& lead, const std::string& indent) {
    if (level.kind == Level::Kind::cluster) {
      text_ += lead + level.name + ": " + cluster_line(level) + "\n";
      draw_hosts(level, indent);
      return;
    }
    text_ += fmt::format("{}{}: {}, {}", lead, level.name, counted(hosts_in(level), "host"),
                         counted(level.ranks.size(), "rank"));
    if (level.uplink.value > 0) text_ += ", uplink " + rate(level.uplink);
    if (level.backbone.value > 0) text_ += ", backbone " + rate(level.backbone);
    text_ += "\n";
    for (std::size_t c = 0; c < level.children.size(); ++c) {
      const bool last = c + 1 == level.children.size();
      draw(level.children[c], indent + (last ? "`- " : "|- "), indent + (last ? "   " : "|  "));
    }
  }

  const Platform& platform_;
  std::map<std::string, const Host*> hosts_;
  std::string text_;
};

}  // namespace

std::string levels_text(const Platform& platform) {
  return Tree(platform).text();
}

}  // namespace tombolo::showing
