#pragma once

#include <memory>
#include <utility>
#include <vector>

#include <tombolo/platform/platform.hpp>

namespace tombolo {

/// Who is near whom, as planning sees it: the levels of a platform (level.hpp), or of those of its ranks that take part
/// in a call, who have numbers of their own. Levels with nobody or one child left are passed over. A value that never
/// changes: copies share what it holds.
class Landscape {
 public:
  struct Group {
    Level::Kind kind = Level::Kind::cluster;
    std::vector<Rank> ranks;      ///< ascending
    std::vector<Group> children;  ///< in the order of their first ranks; none where all ranks are equally near
    bool operator==(const Group&) const = default;
  };

  /// So many ranks of which nothing is known: one cluster.
  explicit Landscape(int ranks);
  explicit Landscape(const Platform& platform);
  /// Rank r is members[r] of the platform. Throws Error for a rank that it has not, or that stands twice.
  Landscape(const Platform& platform, const std::vector<Rank>& members);

  int ranks() const { return static_cast<int>(whole_->ranks.size()); }
  const Group& whole() const { return *whole_; }
  /// The logical clusters, or the whole where there is but one: what long links lead to.
  std::vector<const Group*> clusters() const;
  /// The same with the logical clusters right below the whole: groups of clusters are passed over.
  Landscape of_clusters() const;

  bool operator==(const Landscape& other) const { return whole_ == other.whole_ || *whole_ == *other.whole_; }

 private:
  explicit Landscape(Group whole) : whole_(std::make_shared<const Group>(std::move(whole))) {}
  std::shared_ptr<const Group> whole_;
};

}  // namespace tombolo
