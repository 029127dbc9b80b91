#include "predict/prediction.hpp"

#include <algorithm>
#include <cstddef>

#include <tombolo/platform.hpp>

#include "run/report.hpp"

namespace tombolo::predicting {

double Prediction::bound_s() const {
  // Bounds of phases are added up, though a rank may begin one before the others have ended the one before.
  return std::min(bound_of(run), run.predicted_s);
}

double Prediction::working_s() const {
  double longest = 0;
  for (const MemberReport& member : run.members) longest = std::max(longest, member.predicted_s);
  return longest;
}

std::vector<ClusterUse> cluster_uses(const Platform& platform, const Prediction& prediction) {
  std::vector<ClusterUse> uses;
  std::vector<std::size_t> cluster_of(static_cast<std::size_t>(platform.ranks()), 0);
  for (const Level* const cluster : clusters(platform.levels)) {
    for (const Rank rank : cluster->ranks) cluster_of[static_cast<std::size_t>(rank)] = uses.size();
    uses.push_back({.name = cluster->name, .ranks = static_cast<int>(cluster->ranks.size())});
  }
  for (Rank rank = 0; rank < platform.ranks(); ++rank) {
    ClusterUse& use = uses[cluster_of[static_cast<std::size_t>(rank)]];
    use.used += prediction.shares.count(rank) > 0 ? 1 : 0;
    use.shares += prediction.shares.count(rank);
  }
  for (const MemberReport& member : prediction.run.members) {
    ClusterUse& use = uses[cluster_of[static_cast<std::size_t>(member.rank)]];
    use.working_s = std::max(use.working_s, member.predicted_s);
  }
  std::stable_sort(uses.begin(), uses.end(),
                   [](const ClusterUse& a, const ClusterUse& b) { return a.shares > b.shares; });
  return uses;
}

int clusters_used(const std::vector<ClusterUse>& uses) {
  return static_cast<int>(std::count_if(uses.begin(), uses.end(), [](const ClusterUse& use) { return use.used > 0; }));
}

}  // namespace tombolo::predicting
