#include <algorithm>
#include <utility>

#include <tombolo/platform/description/backbones.hpp>

namespace tombolo {

namespace {

// Returns the number of clusters of a level; `first`: the number of its first cluster, of `all`.
int collect(const Level& level, int first, std::size_t all, std::vector<GroupBackbone>& found) {
  if (level.kind == Level::Kind::cluster) return 1;
  GroupBackbone backbone{.group = &level, .child_of = std::vector<int>(all, -1)};
  int end = first;
  for (std::size_t child = 0; child < level.children.size(); ++child) {
    const int inside = collect(level.children[child], end, all, found);
    std::fill_n(backbone.child_of.begin() + end, inside, static_cast<int>(child));
    end += inside;
  }
  if (level.backbone.value > 0) found.push_back(std::move(backbone));
  return end - first;
}

}  // namespace

std::vector<GroupBackbone> group_backbones(const Level& levels) {
  std::vector<GroupBackbone> found;
  collect(levels, 0, clusters(levels).size(), found);
  return found;
}

}  // namespace tombolo
