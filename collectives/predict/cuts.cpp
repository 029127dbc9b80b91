#include <algorithm>
#include <set>

#include <tombolo/collectives/predict/cuts.hpp>
#include <tombolo/platform/measuring/shared_rate.hpp>

namespace tombolo {

namespace {

// The most clusters of which all bipartitions are cuts.
constexpr std::size_t few_clusters = 8;

std::size_t hosts_of(const Level& level) {
  if (level.kind == Level::Kind::host) return 1;
  std::size_t hosts = 0;
  for (const Level& child : level.children) hosts += hosts_of(child);
  return hosts;
}

// By cluster, true if the cluster is below `level`.
std::vector<bool> below(const Level& level, const std::vector<const Level*>& all) {
  std::vector<bool> inside;
  for (const Level* cluster : all) {
    inside.push_back(std::ranges::binary_search(level.ranks, cluster->ranks.front()));
  }
  return inside;
}

void collect(const Level& level, const std::vector<const Level*>& all, std::set<std::vector<bool>>& found) {
  found.insert(below(level, all));
  if (level.kind == Level::Kind::cluster) return;
  for (const Level& child : level.children) collect(child, all, found);
}

std::set<std::vector<bool>> parts(const Platform& platform, const std::vector<const Level*>& all) {
  std::set<std::vector<bool>> found;
  if (all.size() > few_clusters) {
    collect(platform.levels, all, found);
    return found;
  }
  // The last cluster is always outside: a cut and its complement are the same.
  for (std::size_t mask = 1; mask < std::size_t{1} << (all.size() - 1); ++mask) {
    std::vector<bool> inside;
    for (std::size_t c = 0; c < all.size(); ++c) inside.push_back((mask >> c & 1) != 0);
    found.insert(inside);
  }
  return found;
}

}  // namespace

bool is_limited(const Link& link, const std::vector<const Level*>& clusters) {
  const auto hosts = [&](int cluster) { return hosts_of(*clusters[static_cast<std::size_t>(cluster)]); };
  const bool all_hosts = static_cast<std::size_t>(link.flows) >= std::min(hosts(link.a), hosts(link.b));
  const bool full = slowed_each_other(link.rate.value, link.flows, link.total.value);
  return link.total.value > 0 && (all_hosts || full);
}

std::vector<Cut> cuts(const Platform& platform) {
  const std::vector<const Level*> all = clusters(platform.levels);
  std::vector<Cut> found;
  if (all.size() < 2) return found;
  for (const std::vector<bool>& inside : parts(platform, all)) {
    Cut cut{.inside = inside, .latency = never};
    bool limited = true;
    for (const Link& link : platform.links) {
      const auto a = static_cast<std::size_t>(link.a);
      const auto b = static_cast<std::size_t>(link.b);
      if (inside[a] == inside[b]) continue;
      limited = limited && is_limited(link, all);
      cut.rate += link.total.value;
      cut.latency = std::min(cut.latency, link.latency.value);
    }
    if (limited && cut.rate > 0) found.push_back(cut);
  }
  return found;
}

}  // namespace tombolo
