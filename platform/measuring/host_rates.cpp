#include <algorithm>
#include <map>
#include <set>

#include <tombolo/platform/measuring/host_rates.hpp>

namespace tombolo {

std::vector<std::pair<int, int>> pairs_that_tell(const std::vector<PairRate>& pairs, double bound, std::size_t most) {
  std::map<int, BytesPerSecond> best;
  for (const PairRate& pair : pairs) {
    for (const int host : {pair.a, pair.b}) best[host] = std::max(best[host], pair.rate.value);
  }
  const auto clearly_less = [&](BytesPerSecond rate, BytesPerSecond other) {
    return static_cast<double>(rate) * (1 + bound) < static_cast<double>(other);
  };
  // A host is the limit of a message whose other host got more elsewhere.
  std::set<int> sure;
  for (const PairRate& pair : pairs) {
    for (const auto& [host, partner] : {std::pair(pair.a, pair.b), std::pair(pair.b, pair.a)}) {
      const bool is_best = !clearly_less(pair.rate.value, best[host]);
      if (is_best && clearly_less(pair.rate.value, best[partner])) sure.insert(host);
    }
  }
  BytesPerSecond highest = 0;
  for (const auto& [host, rate] : best) highest = std::max(highest, rate);
  std::vector<int> fastest;
  std::vector<int> unsure;
  for (const auto& [host, rate] : best) {
    if (!clearly_less(rate, highest)) {
      fastest.push_back(host);
    } else if (!sure.contains(host)) {
      unsure.push_back(host);
    }
  }
  std::vector<std::pair<int, int>> found;
  for (std::size_t i = 0; i < std::min(unsure.size(), most * fastest.size()); ++i) {
    found.emplace_back(unsure[i], fastest[i % fastest.size()]);
  }
  return found;
}

}  // namespace tombolo
