#include <algorithm>
#include <set>

#include <tombolo/collectives/predict/cuts.hpp>

namespace tombolo {

namespace {

constexpr std::size_t few = 8;

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
    inside.push_back(std::binary_search(level.ranks.begin(), level.ranks.end(), cluster->ranks.front()));
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
  if (all.size() > few) {
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
      const BytesPerSecond total = link.total.value;
      const bool all_hosts = static_cast<std::size_t>(link.flows) >= std::min(hosts_of(*all[a]), hosts_of(*all[b]));
      const bool full = total > 0 && total / 9 * 10 < link.rate.value * link.flows;
      limited = limited && total > 0 && (all_hosts || full);
      cut.rate += total;
      cut.latency = std::min(cut.latency, link.latency.value);
    }
    if (limited && cut.rate > 0) found.push_back(cut);
  }
  return found;
}

}  // namespace tombolo
