#include <algorithm>
#include <array>
#include <cstddef>
#include <map>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <tombolo/platform/description/host_levels.hpp>

namespace tombolo {

namespace {

struct Part {
  Level::Kind kind;
  const char* name;
  int Place::*number;
};

// The kinds of levels inside a host, from the outside in.
constexpr std::array<Part, 4> parts = {{{Level::Kind::package, "package", &Place::package},
                                        {Level::Kind::numa, "memory node", &Place::numa},
                                        {Level::Kind::cache, "cache", &Place::cache},
                                        {Level::Kind::core, "core", &Place::core}}};

struct Placed {
  Rank rank;
  Place place;
};

Level level_of(Level::Kind kind, std::string name, const std::vector<Placed>& members) {
  Level level{.kind = kind, .name = std::move(name), .ranks = {}, .children = {}};
  for (const Placed& member : members) level.ranks.push_back(member.rank);
  return level;
}

Level leaf(const Placed& member) {
  return level_of(Level::Kind::rank, fmt::format("rank {}", member.rank), {member});
}

// Returns the levels inside a level with these ranks, for the parts from `depth` inwards.
std::vector<Level> below(const std::vector<Placed>& members, std::size_t depth) {
  std::vector<Level> found;
  if (depth == parts.size()) {
    for (const Placed& member : members) found.push_back(leaf(member));
    return found;
  }
  const Part& part = parts.at(depth);
  std::map<int, std::vector<Placed>> sharing;
  for (const Placed& member : members) sharing[member.place.*part.number].push_back(member);
  if (sharing.size() == 1) return below(members, depth + 1);  // separates nothing

  for (const auto& [number, some] : sharing) {
    if (number < 0 || some.size() == 1) {
      for (const Placed& member : some) found.push_back(leaf(member));
      continue;
    }
    Level level = level_of(part.kind, fmt::format("{} {}", part.name, number), some);
    level.children = below(some, depth + 1);
    found.push_back(std::move(level));
  }
  std::ranges::sort(found, {}, [](const Level& level) { return level.ranks.front(); });
  return found;
}

}  // namespace

Level host_level(std::string name, std::span<const Rank> ranks, std::span<const Place> places) {
  std::vector<Placed> members;
  for (std::size_t i = 0; i < ranks.size(); ++i) members.push_back({ranks[i], places[i]});
  Level host = level_of(Level::Kind::host, std::move(name), members);
  if (members.size() > 1) host.children = below(members, 0);
  return host;
}

}  // namespace tombolo
