#pragma once

#include <algorithm>
#include <array>
#include <numeric>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <tombolo/platform.hpp>

/// Valid platforms of every shape: any number of ranks on any number of hosts in any order, hosts in clusters, clusters
/// in groups inside groups, anything that several ranks of a host may share; figures known or not; names of all kinds.
class RandomPlatform {
 public:
  explicit RandomPlatform(unsigned seed) : random_(seed) {}

  tombolo::Platform make(int ranks) {
    tombolo::Platform platform;
    std::vector<tombolo::Level> clusters = make_clusters(make_hosts(platform, ranks));
    platform.levels = clusters.size() == 1 ? std::move(clusters.front()) : make_group(std::move(clusters));
    const int count = static_cast<int>(tombolo::clusters(platform.levels).size());
    for (int a = 0; a < count; ++a) {
      for (int b = a + 1; b < count; ++b) {
        const tombolo::Measured total = measured();
        const int flows = total.value > 0 ? 1 + below(9) : 0;
        platform.links.push_back({a, b, measured(), measured(), total, flows});
      }
    }
    for (int line = below(3); line > 0 && count > 2; --line) {
      std::vector<std::pair<int, int>> pairs;
      for (int a = 0; a < count; ++a) {
        for (int b = a + 1; b < count; ++b) {
          if (below(3) == 0) pairs.push_back(below(2) == 0 ? std::pair(a, b) : std::pair(b, a));
        }
      }
      if (!pairs.empty()) platform.lines.push_back({std::move(pairs), {1 + figure(), figure()}});
    }
    platform.origin = {any_text(),        any_text(),       below(2) == 0,
                       below(1000) / 7.0, below(1'000'000), {any_text(), text()}};
    if (below(2) == 0) platform.sections["models"] = R"({"hockney":{"b":[1.50,2e3],"a":"x y\n\" {"}})";
    if (below(2) == 0) platform.sections[name("section \"")] = R"([[],{},null,-0.0,12345678901234567890])";
    return platform;
  }

 private:
  using Level = tombolo::Level;
  using Kind = Level::Kind;

  int below(int limit) { return static_cast<int>(random_() % static_cast<unsigned>(limit)); }

  std::int64_t figure() {
    constexpr std::array<std::int64_t, 6> figures = {0, 1, 999, 50'000'000, 125'000'000, 1'000'000'000'000'000};
    return figures.at(static_cast<std::size_t>(below(6)));
  }
  tombolo::Measured measured() { return {figure(), below(2) == 0 ? 0 : figure()}; }

  std::string text() {
    constexpr std::array<const char*, 6> texts = {"", "a", "two words", R"("quoted\" {[)", "<&>'%s", "Ä €😀"};
    return texts.at(static_cast<std::size_t>(below(6)));
  }
  std::string any_text() { return text() + (below(2) == 0 ? "line\n\ttab\x01" : ""); }  // not for names
  std::string name(const std::string& kind) { return kind + std::to_string(++names_) + text(); }

  static std::vector<tombolo::Rank> ranks_of(const std::vector<Level>& children) {
    std::vector<tombolo::Rank> ranks;
    for (const Level& child : children) ranks.insert(ranks.end(), child.ranks.begin(), child.ranks.end());
    std::sort(ranks.begin(), ranks.end());
    return ranks;
  }

  // Around children, which it brings into the order of their first ranks.
  Level around(Kind kind, std::string level_name, std::vector<Level> children) {
    std::sort(children.begin(), children.end(),
              [](const Level& a, const Level& b) { return a.ranks.front() < b.ranks.front(); });
    std::vector<tombolo::Rank> ranks = ranks_of(children);
    return {kind, std::move(level_name), std::move(ranks), std::move(children), measured(), measured(), measured()};
  }

  // Deals items to so many parts, none of them empty.
  template <class Item>
  std::vector<std::vector<Item>> deal(std::vector<Item> items, int parts) {
    std::shuffle(items.begin(), items.end(), random_);
    std::vector<std::vector<Item>> dealt(static_cast<std::size_t>(parts));
    for (std::size_t i = 0; i < items.size(); ++i) {
      const std::size_t part = i < dealt.size() ? i : static_cast<std::size_t>(below(parts));
      dealt[part].push_back(std::move(items[i]));
    }
    return dealt;
  }

  Level make_inside(Kind kind, const std::string& level_name, std::vector<tombolo::Rank> ranks) {
    const int count = static_cast<int>(ranks.size());
    if (count == 1) {
      const bool host = kind == Kind::host;
      return {host ? kind : Kind::rank, level_name, std::move(ranks), {}, measured(), measured(), measured()};
    }
    std::vector<Level> children;
    const int inner = static_cast<int>(kind) + 1 + below(static_cast<int>(Kind::rank) - static_cast<int>(kind));
    const int parts = inner == static_cast<int>(Kind::rank) ? count : 2 + below(count - 1);
    for (auto& part : deal(std::move(ranks), parts)) {
      std::sort(part.begin(), part.end());
      children.push_back(make_inside(static_cast<Kind>(inner), text(), std::move(part)));
    }
    return around(kind, level_name, std::move(children));
  }

  std::vector<Level> make_hosts(tombolo::Platform& platform, int ranks) {
    std::vector<tombolo::Rank> all(static_cast<std::size_t>(ranks));
    std::iota(all.begin(), all.end(), 0);
    platform.processors.resize(all.size());
    std::vector<Level> levels;
    for (auto& of_host : deal(all, 1 + below(ranks))) {
      std::sort(of_host.begin(), of_host.end());
      const std::string host = name("host");
      const int on_host = static_cast<int>(of_host.size());
      for (const tombolo::Rank rank : of_host) {
        platform.processors[static_cast<std::size_t>(rank)] = make_processor(host, on_host);
      }
      levels.push_back(make_inside(Kind::host, host, std::move(of_host)));
    }
    std::set<std::string> known;
    for (const tombolo::Processor& processor : platform.processors) {
      if (known.insert(processor.host).second)
        platform.hosts.push_back({processor.host, measured(), measured(), measured()});
    }
    return levels;
  }

  tombolo::Processor make_processor(const std::string& host, int on_host) {
    const auto number = [&] { return below(5) - 1; };
    std::vector<tombolo::SpeedPoint> speeds;
    for (int point = 0; point < below(4); ++point) speeds.push_back({std::int64_t{64} * (point + 1), 1 + figure()});
    return {host,     text(),       1 + below(64), 1 + below(on_host),
            on_host,  1 + below(3), figure(),      {number(), number(), number(), number()},
            figure(), figure(),     speeds};
  }

  std::vector<Level> make_clusters(std::vector<Level> hosts) {
    std::vector<Level> made;
    const int parts = 1 + below(static_cast<int>(hosts.size()));
    for (auto& part : deal(std::move(hosts), parts)) made.push_back(around(Kind::cluster, name("c"), std::move(part)));
    return made;
  }

  Level make_group(std::vector<Level> of) {
    std::vector<Level> children;
    const int parts = 2 + below(static_cast<int>(of.size()) - 1);
    for (auto& part : deal(std::move(of), parts)) {
      children.push_back(part.size() == 1 ? std::move(part.front()) : make_group(std::move(part)));
    }
    return around(Kind::group, text(), std::move(children));
  }

  std::mt19937 random_;
  int names_ = 0;
};

/// Two sites of two clusters and one, small enough to break in every place:
///
///     all: grenoble (c1: a1 with ranks 0 and 1, a2 with 2; c2: b1 with 3), c3 (d1 with 4)
inline tombolo::Platform small_platform() {
  using Kind = tombolo::Level::Kind;
  tombolo::Platform platform;
  for (const char* const host : {"a1", "a1", "a2", "b1", "d1"}) {
    platform.processors.push_back({.host = host, .model = "Opteron", .cores = 2, .speed = 4'000'000'000});
  }
  for (const int rank : {0, 1}) {
    platform.processors[static_cast<std::size_t>(rank)].ranks_on_host = 2;
    platform.processors[static_cast<std::size_t>(rank)].place = {.package = 0, .core = rank};
  }
  platform.processors[4].speeds = {{256, 3'000'000'000}, {512, 4'000'000'000}};
  platform.hosts = {{"a1", {5'000'000, 0}, {125'000'000, 0}}, {"a2"}, {"b1", {7'000'000, 9}}, {"d1"}};
  const auto rank = [](int number) { return tombolo::Level{Kind::rank, "", {number}, {}}; };
  const auto host = [](const char* name, int number) { return tombolo::Level{Kind::host, name, {number}, {}}; };
  const tombolo::Level a1 = {Kind::host, "a1", {0, 1}, {rank(0), rank(1)}, {400'000, 0}, {5'000'000'000, 0}};
  const tombolo::Level c1 = {Kind::cluster, "c1", {0, 1, 2}, {a1, host("a2", 2)}, {30'000'000, 1'000'000}};
  const tombolo::Level c2 = {Kind::cluster, "c2", {3}, {host("b1", 3)}};
  const tombolo::Level c3 = {Kind::cluster, "c3", {4}, {host("d1", 4)}, {}, {}, {100'000'000, 0}};
  const tombolo::Level grenoble = {Kind::group, "grenoble", {0, 1, 2, 3}, {c1, c2}};
  platform.levels = {Kind::group, "all", {0, 1, 2, 3, 4}, {grenoble, c3}};
  platform.links = {{0, 1, {60'000'000, 0}, {125'000'000, 0}},
                    {0, 2, {4'000'000'000, 5'000'000}, {40'000'000, 0}, {90'000'000, 0}, 3},
                    {1, 2, {4'100'000'000, 0}}};
  platform.origin = {"stated", "MPICH 4.0.2", false, 1.5, 12, {"the rate between d1 and a2"}};
  platform.sections["models"] = R"({"hockney":[1.5,{"a":1}]})";
  return platform;
}
