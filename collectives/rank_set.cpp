#include <algorithm>
#include <iterator>

#include <tombolo/collectives/rank_set.hpp>

namespace tombolo {

Union unite(const RankSet& a, const RankSet& b) {
  RankSet sorted;
  std::merge(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(sorted),
             [](RankRange x, RankRange y) { return x.first < y.first; });
  Union result;
  for (const RankRange range : sorted) {
    if (result.ranks.empty() || range.first > result.ranks.back().last + 1) {
      result.ranks.push_back(range);
      continue;
    }
    RankRange& last = result.ranks.back();
    result.overlapped = result.overlapped || range.first <= last.last;
    last.last = std::max(last.last, range.last);
  }
  return result;
}

}  // namespace tombolo
