#include <algorithm>

#include <tombolo/collectives/calibrate/scopes.hpp>

namespace tombolo {

std::vector<Scope> scopes_of(const Platform& platform) {
  std::vector<Scope> scopes;
  Scope leaders{between_clusters, {}};
  Scope all{all_ranks, {}};
  for (const Level* cluster : clusters(platform.levels)) {
    leaders.ranks.push_back(cluster->ranks.front());
    if (cluster->ranks.size() > 1) scopes.push_back({cluster->name, cluster->ranks});
  }
  if (leaders.ranks.size() < 2) return scopes;
  for (Rank rank = 0; rank < platform.ranks(); ++rank) all.ranks.push_back(rank);
  std::ranges::sort(leaders.ranks);
  scopes.push_back(std::move(leaders));
  scopes.push_back(std::move(all));
  return scopes;
}

std::string scope_among(const Platform& platform, const std::vector<Rank>& members) {
  std::vector<const Level*> reached;
  for (const Level* cluster : clusters(platform.levels)) {
    const bool reaches =
        std::ranges::any_of(members, [cluster](Rank rank) { return std::ranges::binary_search(cluster->ranks, rank); });
    if (reaches) reached.push_back(cluster);
  }
  if (members.size() < 2) return all_ranks;  // no collective to predict
  if (reached.size() == 1) return reached.front()->name;
  const bool all = members.size() == platform.processors.size();
  return reached.size() == members.size() && !all ? between_clusters : all_ranks;
}

std::vector<Rank> some_of(const Scope& scope, int ranks) {
  std::vector<Rank> some;
  const auto size = static_cast<std::int64_t>(scope.ranks.size());
  for (int i = 0; i < ranks; ++i) some.push_back(scope.ranks[static_cast<std::size_t>(i * size / ranks)]);
  return some;
}

}  // namespace tombolo
