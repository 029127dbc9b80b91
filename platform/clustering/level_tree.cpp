#include <algorithm>
#include <cstddef>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include <tombolo/platform/clustering/level_tree.hpp>

namespace tombolo {

namespace {

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || static_cast<unsigned char>(c) >= 128;
}

void remove_trailing(std::string& text, bool (*what)(char)) {
  while (!text.empty() && what(text.back())) text.pop_back();
}

bool begins_with(std::string_view name, std::string_view part) {
  if (!name.starts_with(part)) return false;
  return name.size() == part.size() || !is_digit(part.back()) || !is_digit(name[part.size()]);
}

}  // namespace

std::string common_name(std::span<const std::string> hosts, const std::vector<int>& members) {
  if (members.empty()) return {};
  std::string common = hosts[static_cast<std::size_t>(members.front())];
  for (const int member : members) {
    const std::string& name = hosts[static_cast<std::size_t>(member)];
    const auto differ = std::ranges::mismatch(common, name).in1;
    common.erase(differ, common.end());
  }
  remove_trailing(common, is_digit);
  remove_trailing(common, [](char c) { return !is_digit(c) && !is_letter(c); });
  if (common.empty()) return {};

  std::vector<bool> inside(hosts.size());
  for (const int member : members) inside[static_cast<std::size_t>(member)] = true;
  for (std::size_t i = 0; i < hosts.size(); ++i) {
    if (!inside[i] && begins_with(hosts[i], common)) return {};
  }
  return common;
}

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
