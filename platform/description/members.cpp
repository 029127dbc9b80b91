#include <algorithm>
#include <cstddef>
#include <numeric>
#include <unordered_map>

#include <fmt/format.h>

#include <tombolo/platform/description/members.hpp>
#include <tombolo/units.hpp>

namespace tombolo {

std::vector<Rank> all_in_order(int ranks) {
  std::vector<Rank> all(static_cast<std::size_t>(ranks));
  std::iota(all.begin(), all.end(), 0);
  return all;
}

std::vector<Rank> numbers_among(const std::vector<Rank>& members, int ranks) {
  std::vector<Rank> numbers(static_cast<std::size_t>(ranks), -1);
  for (std::size_t member = 0; member < members.size(); ++member) {
    const Rank rank = members[member];
    if (rank < 0 || rank >= ranks || numbers[static_cast<std::size_t>(rank)] >= 0) {
      throw Error(fmt::format("rank {} as member {} of a platform of {} ranks", rank, member, ranks),
                  "name ranks of the platform, each once");
    }
    numbers[static_cast<std::size_t>(rank)] = static_cast<Rank>(member);
  }
  return numbers;
}

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
