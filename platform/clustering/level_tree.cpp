#include <algorithm>
#include <set>
#include <string>
#include <utility>

#include <fmt/format.h>

#include <tombolo/platform/clustering/level_tree.hpp>
#include <tombolo/platform/description/group_names.hpp>

namespace tombolo {

namespace {

class Tree {
 public:
  explicit Tree(std::span<const Level> hosts) : hosts_(hosts) {
    for (const Level& host : hosts) host_names_.push_back(host.name);
  }

  Level build(const HostGroup& group, bool outermost) const {
    const bool cluster = group.groups.empty();
    Level level{.kind = cluster ? Level::Kind::cluster : Level::Kind::group,
                .name = name_of(group, outermost),
                .ranks = {},
                .children = {}};
    for (const int host : group.hosts) {
      if (cluster) level.children.push_back(hosts_[static_cast<std::size_t>(host)]);
    }
    for (const HostGroup& inner : group.groups) level.children.push_back(build(inner, false));
    for (const Level& child : level.children) {
      level.ranks.insert(level.ranks.end(), child.ranks.begin(), child.ranks.end());
    }
    std::ranges::sort(level.ranks);
    std::ranges::sort(level.children, {}, [](const Level& child) { return child.ranks.front(); });
    return level;
  }

 private:
  std::string name_of(const HostGroup& group, bool outermost) const {
    if (!group.name.empty()) return group.name;
    if (outermost && !group.groups.empty()) return "platform";
    return common_name(host_names_, group.hosts);
  }

  std::span<const Level> hosts_;
  std::vector<std::string> host_names_;
};

bool is_named(const Level& level) {
  return level.kind == Level::Kind::group || level.kind == Level::Kind::cluster;
}

// Names the groups without a name, and renames those with a duplicate name.
class Naming {
 public:
  void complete(Level& level, const std::string& around) {
    if (!is_named(level)) return;
    if (!level.name.empty() && taken_.contains(level.name) && !around.empty()) {
      level.name = fmt::format("{}/{}", around, level.name);
    }
    if (level.name.empty()) {
      const bool cluster = level.kind == Level::Kind::cluster;
      level.name = first_free(cluster ? "cluster" : "site", 1);
    } else if (taken_.contains(level.name)) {
      level.name = first_free(level.name, 2);
    }
    taken_.insert(level.name);
    for (Level& child : level.children) complete(child, level.name);
  }

 private:
  std::string first_free(const std::string& name, int number) const {
    for (;; ++number) {
      std::string candidate = fmt::format("{} {}", name, number);
      if (!taken_.contains(candidate)) return candidate;
    }
  }

  std::set<std::string> taken_;
};

}  // namespace

Level level_tree(const HostGroup& groups, std::span<const Level> hosts) {
  Level root = Tree(hosts).build(groups, true);
  Naming().complete(root, "");
  return root;
}

}  // namespace tombolo
