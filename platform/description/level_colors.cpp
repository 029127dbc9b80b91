#include <algorithm>
#include <cstddef>
#include <unordered_map>

#include <tombolo/platform/description/level_colors.hpp>
#include <tombolo/platform/description/members.hpp>

namespace tombolo {

namespace {

using Path = std::vector<const Level*>;  // from the outermost level inwards

void add_paths(const Level& level, const std::vector<Rank>& numbers, std::vector<Path>& paths) {
  if (level.kind == Level::Kind::rank) return;  // no other rank shares it
  for (const Rank rank : level.ranks) {
    const Rank number = numbers[static_cast<std::size_t>(rank)];
    if (number >= 0) paths[static_cast<std::size_t>(number)].push_back(&level);
  }
  for (const Level& child : level.children) add_paths(child, numbers, paths);
}

}  // namespace

LevelColors level_colors(const Platform& platform, const std::vector<Rank>& members) {
  std::vector<Path> paths(members.size());
  add_paths(platform.levels, numbers_among(members, platform.ranks()), paths);
  LevelColors found;
  std::vector<std::unordered_map<const Level*, int>> seen;  // by depth
  for (const Path& path : paths) {
    seen.resize(std::max(seen.size(), path.size()));
    std::vector<int>& colors = found.colors.emplace_back();
    std::vector<Level::Kind>& kinds = found.kinds.emplace_back();
    for (std::size_t depth = 0; depth < path.size(); ++depth) {
      const int next = static_cast<int>(seen[depth].size());
      colors.push_back(seen[depth].try_emplace(path[depth], next).first->second);
      kinds.push_back(path[depth]->kind);
    }
  }
  return found;
}

}  // namespace tombolo
