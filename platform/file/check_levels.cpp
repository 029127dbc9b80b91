#include <algorithm>
#include <array>
#include <functional>
#include <set>

#include <fmt/format.h>

#include <tombolo/platform/description/level_names.hpp>
#include <tombolo/platform/file/check_levels.hpp>
#include <tombolo/platform/file/check_range.hpp>
#include <tombolo/platform/system/posix_file.hpp>

namespace tombolo {

namespace {

using Kind = Level::Kind;

class Walk {
 public:
  explicit Walk(const std::string& name) : name_(name) {}

  void visit(const Level& level, int depth) {
    if (depth > most_levels) refuse(fmt::format("more than {} levels stand inside each other", most_levels));
    check_itself(level);
    for (const Level& child : level.children) check_kinds(level, child);
    if (!level.children.empty()) check_partition(level);
    for (const Level& child : level.children) visit(child, depth + 1);
  }

 private:
  void check_itself(const Level& level) {
    const auto who = [&] { return described(level); };
    if (level.ranks.empty()) refuse(who() + " has no ranks");
    const auto unordered = std::adjacent_find(level.ranks.begin(), level.ranks.end(), std::greater_equal<>());
    if (unordered != level.ranks.end()) {
      refuse(*unordered == unordered[1] ? fmt::format("{} has rank {} twice", who(), *unordered)
                                        : fmt::format("the ranks of {} are not ascending", who()));
    }
    check_name(name_, who, level.name);
    if (level.kind == Kind::cluster || level.kind == Kind::host) {
      if (level.name.empty()) refuse(fmt::format("a {} has no name", name_of(level.kind)));
      // Hosts have their own namespace, since a cluster of one host often has the host's name.
      if (!names_.at(level.kind == Kind::host ? 1 : 0).insert(level.name).second) refuse(who() + " is there twice");
    }
    check_range(name_, who, "latency", level.latency, longest_latency);
    check_range(name_, who, "rate", level.rate, highest_rate);
    check_range(name_, who, "uplink", level.uplink, highest_rate);
    check_children(level);
  }

  void check_children(const Level& level) {
    if (level.kind == Kind::rank && level.ranks.size() != 1) {
      refuse(fmt::format("{} has {} ranks", described(level), level.ranks.size()));
    }
    const bool leaf = level.kind == Kind::rank || (level.kind == Kind::host && level.ranks.size() == 1);
    if (leaf && !level.children.empty()) refuse(described(level) + " is a single rank and has children");
    if (!leaf && level.children.empty()) refuse(described(level) + " has no children");
    if (!leaf && level.kind != Kind::cluster && level.children.size() == 1) {
      refuse(fmt::format("{} has one child only, {}; it says nothing and is to be left out", described(level),
                         described(level.children.front())));
    }
  }

  void check_kinds(const Level& level, const Level& child) {
    const bool right = level.kind == Kind::group     ? child.kind == Kind::group || child.kind == Kind::cluster
                       : level.kind == Kind::cluster ? child.kind == Kind::host
                                                     : child.kind > level.kind;
    if (!right) refuse(fmt::format("{} cannot stand in {}", described(child), described(level)));
  }

  void check_partition(const Level& level) {
    std::vector<Rank> ranks;
    ranks.reserve(level.ranks.size());
    Rank first = -1;
    for (const Level& child : level.children) {
      if (child.ranks.empty()) refuse(described(child) + " has no ranks");
      if (child.ranks.front() < first) {
        refuse(fmt::format("the children of {} are not in the order of their first ranks", described(level)));
      }
      first = child.ranks.front();
      ranks.insert(ranks.end(), child.ranks.begin(), child.ranks.end());
    }
    if (ranks == level.ranks) return;
    std::sort(ranks.begin(), ranks.end());
    if (ranks == level.ranks) return;
    const auto twice = std::adjacent_find(ranks.begin(), ranks.end());
    if (twice != ranks.end()) refuse(fmt::format("rank {} is twice in the children of {}", *twice, described(level)));
    const auto [own, of_children] = std::mismatch(level.ranks.begin(), level.ranks.end(), ranks.begin(), ranks.end());
    if (of_children == ranks.end() || (own != level.ranks.end() && *own < *of_children)) {
      refuse(fmt::format("rank {} of {} is in none of its children", *own, described(level)));
    }
    refuse(fmt::format("rank {} is in a child of {} and not in that itself", *of_children, described(level)));
  }

  [[noreturn]] void refuse(const std::string& cause) const { refuse_platform(name_, cause); }

  const std::string& name_;
  std::array<std::set<std::string>, 2> names_;  // of clusters, of hosts
};

}  // namespace

void check_levels(const Platform& platform, const std::string& name) {
  const Level& all = platform.levels;
  if (all.kind != Kind::group && all.kind != Kind::cluster) {
    refuse_platform(name, described(all) + " cannot be the outermost level; that is a group or a cluster");
  }
  for (Rank rank = 0; rank < platform.ranks(); ++rank) {
    const auto place = static_cast<std::size_t>(rank);
    if (place < all.ranks.size() && all.ranks[place] == rank) continue;
    refuse_platform(name, fmt::format("{}, the outermost level, does not have the ranks 0 to {} in this order: rank {} "
                                      "is not in its place",
                                      described(all), platform.ranks() - 1, rank));
  }
  if (all.ranks.size() != platform.processors.size()) {
    refuse_platform(name, fmt::format("{}, the outermost level, has rank {}, but there are {} processors",
                                      described(all), all.ranks.back(), platform.ranks()));
  }
  Walk(name).visit(all, 1);
}

}  // namespace tombolo
