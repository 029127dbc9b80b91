#pragma once

#include <memory>
#include <utility>
#include <vector>

#include <tombolo/platform.hpp>

namespace tombolo {

/// The hierarchy of ranks for planning: the levels of a platform (Level), or of the members of a call, renumbered.
/// Levels with at most one child left are skipped. Immutable; copies share their data.
class Hierarchy {
 public:
  struct Group {
    Level::Kind kind = Level::Kind::cluster;
    std::vector<Rank> ranks;      ///< ascending
    std::vector<Group> children;  ///< in the order of their first ranks; empty if all ranks are equally near
    bool operator==(const Group&) const = default;
  };

  /// One cluster of ranks of an unknown platform.
  explicit Hierarchy(int ranks);
  explicit Hierarchy(const Platform& platform);
  /// Rank r is members[r] of the platform. Throws Error for an unknown or repeated member.
  Hierarchy(const Platform& platform, const std::vector<Rank>& members);

  int ranks() const { return static_cast<int>(whole_->ranks.size()); }
  const Group& whole() const { return *whole_; }
  /// Returns the logical clusters, or the whole if there is only one: the end points of long links.
  std::vector<const Group*> clusters() const;
  /// Returns the hierarchy with the logical clusters right below the whole, without groups of clusters between.
  Hierarchy of_clusters() const;

  bool operator==(const Hierarchy& other) const { return whole_ == other.whole_ || *whole_ == *other.whole_; }

 private:
  explicit Hierarchy(Group whole) : whole_(std::make_shared<const Group>(std::move(whole))) {}
  std::shared_ptr<const Group> whole_;
};

}  // namespace tombolo
