#include <algorithm>
#include <utility>

#include <tombolo/collectives/mapping/served.hpp>

namespace tombolo {

Picoseconds time_below(const Served& served, Rank top, const MessageTimes& times) {
  Picoseconds last = 0;
  std::vector<std::pair<Rank, Picoseconds>> next{{top, 0}};
  while (!next.empty()) {
    auto [rank, free] = next.back();
    next.pop_back();
    last = std::max(last, free);
    for (const Rank child : served[static_cast<std::size_t>(rank)]) {
      const MessageTime message = times.of(rank, child);
      next.emplace_back(child, plus(free, message.whole()));
      free = plus(free, message.gap);
    }
  }
  return last;
}

void serve_longest_first(Served& served, Rank top, const MessageTimes& times) {
  std::vector<Rank> downwards{top};
  for (std::size_t at = 0; at < downwards.size(); ++at) {
    const std::vector<Rank>& children = served[static_cast<std::size_t>(downwards[at])];
    downwards.insert(downwards.end(), children.begin(), children.end());
  }
  std::vector<Picoseconds> below(served.size(), 0);
  for (auto rank = downwards.rbegin(); rank != downwards.rend(); ++rank) {
    std::vector<Rank>& children = served[static_cast<std::size_t>(*rank)];
    // From the end of the gap on.
    const auto remaining = [&](Rank child) {
      return plus(times.of(*rank, child).latency, below[static_cast<std::size_t>(child)]);
    };
    const auto finish = [&](const std::vector<Rank>& order) {
      Picoseconds last = 0;
      Picoseconds free = 0;
      for (const Rank child : order) {
        free = plus(free, times.of(*rank, child).gap);
        last = std::max(last, plus(free, remaining(child)));
      }
      return last;
    };
    std::vector<Rank> sorted = children;
    std::stable_sort(sorted.begin(), sorted.end(), [&](Rank a, Rank b) { return remaining(a) > remaining(b); });
    if (finish(sorted) < finish(children)) children = std::move(sorted);
    below[static_cast<std::size_t>(*rank)] = finish(children);
  }
}

}  // namespace tombolo
