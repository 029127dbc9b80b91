#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>

#include <tombolo/platform/description/members.hpp>
#include <tombolo/platform/description/part_of_platform.hpp>

namespace tombolo {

namespace {

// Returns a level with only the ranks that have numbers, under these numbers; levels of one child are left out as
// platform.hpp has it.
Level part_of_level(const Level& level, const std::vector<Rank>& numbers) {
  Level part = level;
  part.ranks.clear();
  part.children.clear();
  for (const Rank rank : level.ranks) {
    const Rank number = numbers[static_cast<std::size_t>(rank)];
    if (number >= 0) part.ranks.push_back(number);
  }
  std::sort(part.ranks.begin(), part.ranks.end());
  for (const Level& child : level.children) {
    Level inner = part_of_level(child, numbers);
    if (!inner.ranks.empty()) part.children.push_back(std::move(inner));
  }
  std::sort(part.children.begin(), part.children.end(),
            [](const Level& a, const Level& b) { return a.ranks.front() < b.ranks.front(); });
  if (part.children.size() != 1) return part;
  if (part.kind == Level::Kind::cluster) return part;
  Level only = std::move(part.children.front());
  // What leaves the one left the other, too.
  const auto [low, high] = std::minmax({part.uplink.value, only.uplink.value});
  part.uplink.value = only.uplink.value = low > 0 ? low : high;
  if (part.kind != Level::Kind::host) return only;
  if (only.kind == Level::Kind::rank) {
    part.children.clear();
    return part;
  }
  only.kind = part.kind;
  only.name = part.name;
  return only;
}

// Adds the lines between clusters that are left.
void add_lines(Platform& part, const Platform& platform) {
  const std::vector<const Level*> all = clusters(platform.levels);
  std::map<std::string, int> numbers;
  for (const Level* const cluster : clusters(part.levels)) numbers.emplace(cluster->name, std::ssize(numbers));
  for (SharedLine line : platform.lines) {
    std::vector<std::pair<int, int>> left;
    for (const auto& [from, to] : line.pairs) {
      const auto a = numbers.find(all[static_cast<std::size_t>(from)]->name);
      const auto b = numbers.find(all[static_cast<std::size_t>(to)]->name);
      if (a != numbers.end() && b != numbers.end()) left.emplace_back(a->second, b->second);
    }
    line.pairs = std::move(left);
    if (!line.pairs.empty()) part.lines.push_back(std::move(line));
  }
}

}  // namespace

Platform part_of_platform(const Platform& platform, const std::vector<Rank>& members) {
  Platform part;
  std::set<std::string> known;
  for (const Rank member : members) {
    part.processors.push_back(platform.processors[static_cast<std::size_t>(member)]);
    const std::string& name = part.processors.back().host;
    if (!known.insert(name).second) continue;
    part.hosts.push_back(*std::find_if(platform.hosts.begin(), platform.hosts.end(),
                                       [&name](const Host& host) { return host.name == name; }));
  }
  part.levels = part_of_level(platform.levels, numbers_among(members, platform.ranks()));
  std::map<std::string, int> places;
  const std::vector<const Level*> all = clusters(platform.levels);
  for (std::size_t c = 0; c < all.size(); ++c) places[all[c]->name] = static_cast<int>(c);
  const std::vector<const Level*> left = clusters(part.levels);
  for (std::size_t a = 0; a < left.size(); ++a) {
    for (std::size_t b = a + 1; b < left.size(); ++b) {
      const auto [x, y] = std::minmax(places.at(left[a]->name), places.at(left[b]->name));
      Link link = platform.links[link_index(x, y, static_cast<int>(all.size()))];
      link.a = static_cast<int>(a);
      link.b = static_cast<int>(b);
      part.links.push_back(link);
    }
  }
  add_lines(part, platform);
  return part;
}

}  // namespace tombolo
