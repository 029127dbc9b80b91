#include <algorithm>

#include <tombolo/platform/clustering/landmarks.hpp>
#include <tombolo/platform/clustering/link_rounds.hpp>
#include <tombolo/platform/clustering/noise.hpp>

namespace tombolo {

namespace {

constexpr std::size_t least_in_cluster = 2;
// A limit, since noise can make a host differ from any number of landmarks.
constexpr std::size_t most_in_cluster = 8;

// Returns true if the latencies from the other landmarks to the host agree with those to one of the landmarks.
bool is_seen_alike(const Latencies& latencies, int host, const std::vector<int>& landmarks, double bound,
                   Picoseconds floor) {
  const auto agree = [&](int like, int witness) {
    const auto one = latencies.between(host, witness);
    const auto other = latencies.between(like, witness);
    if (!one || !other) return true;  // the witness is the compared landmark itself
    const auto a = static_cast<double>(one->value);
    const auto b = static_cast<double>(other->value);
    const auto nothing = static_cast<double>(floor);
    return a <= (1 + bound) * b + nothing && b <= (1 + bound) * a + nothing;
  };
  return std::any_of(landmarks.begin(), landmarks.end(), [&](int like) {
    return std::all_of(landmarks.begin(), landmarks.end(), [&](int witness) { return agree(like, witness); });
  });
}

}  // namespace

std::vector<int> missing_landmarks(const HostGroup& groups, const Latencies& latencies, const std::set<int>& landmarks,
                                   const std::vector<int>& candidates, double bound) {
  const Picoseconds floor = std::max(latencies.overhead(), clustering::noise_floor(latencies, candidates, bound));
  std::vector<int> missing;
  for (const std::vector<int>& cluster : cluster_hosts(groups)) {
    const std::set<int> members(cluster.begin(), cluster.end());
    std::vector<int> own;
    std::vector<int> others;
    for (const int host : candidates) {
      if (members.contains(host)) (landmarks.contains(host) ? own : others).push_back(host);
    }
    std::size_t wanted = own.size() < least_in_cluster ? least_in_cluster - own.size() : 0;
    if (wanted == 0) {
      std::erase_if(others, [&](int host) { return is_seen_alike(latencies, host, own, bound, floor); });
      if (own.size() < most_in_cluster) wanted = least_in_cluster;
    }
    others.resize(std::min(others.size(), wanted));
    missing.insert(missing.end(), others.begin(), others.end());
  }
  return missing;
}

}  // namespace tombolo
