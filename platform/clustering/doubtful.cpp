#include <algorithm>
#include <functional>
#include <tuple>

#include <tombolo/platform/clustering/doubtful.hpp>

namespace tombolo::clustering {

namespace {

struct Pair {
  double doubt;  // the error in units of what may differ
  std::size_t i;
  std::size_t j;
};

}  // namespace

std::vector<bool> doubtful_pairs(const Latencies& latencies, const std::vector<int>& hosts, double bound,
                                 Picoseconds usual) {
  const std::size_t count = hosts.size();
  std::vector<Pair> pairs;
  std::vector<std::size_t> partners(count);
  for (std::size_t i = 0; i < count; ++i) {
    for (std::size_t j = i + 1; j < count; ++j) {
      const auto found = latencies.between(hosts[i], hosts[j]);
      if (!found) continue;
      ++partners[i];
      ++partners[j];
      const double alike = bound * static_cast<double>(found->value) + static_cast<double>(usual);
      const auto error = static_cast<double>(found->error);
      if (error > alike) pairs.push_back({error / std::max(alike, 1.0), i, j});
    }
  }
  std::vector<std::size_t> least;
  for (const std::size_t of_host : partners) least.push_back((of_host + 1) / 2);
  std::ranges::sort(pairs, std::greater<>(), [](const Pair& pair) { return std::tuple(pair.doubt, pair.i, pair.j); });
  std::vector<bool> doubtful(count * count);
  for (const Pair& pair : pairs) {
    if (partners[pair.i] <= least[pair.i] || partners[pair.j] <= least[pair.j]) continue;
    --partners[pair.i];
    --partners[pair.j];
    doubtful[pair.i * count + pair.j] = doubtful[pair.j * count + pair.i] = true;
  }
  return doubtful;
}

}  // namespace tombolo::clustering
