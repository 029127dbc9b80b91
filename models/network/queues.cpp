#include <algorithm>

#include <tombolo/models/network/queues.hpp>

namespace tombolo {

void Queues::start(int id, Rank from, Rank to, Flow flow, Picoseconds now) {
  Picoseconds end = flow.most > 0 ? plus(now, transfer_time(flow.bytes, flow.most)) : now;
  network_.find_route(from, to, route_);
  for (const Network::Use& use : route_.uses) {
    const auto link = static_cast<std::size_t>(use.link);
    const Picoseconds takes = transfer_time(flow.bytes, network_.rates()[link]) / Network::whole * use.part;
    free_[link] = plus(std::max(free_[link], now), takes);
    end = std::max(end, free_[link]);
  }
  under_way_.emplace(end, id);
}

std::vector<int> Queues::end(Picoseconds now) {
  std::vector<int> ended;
  while (!under_way_.empty() && under_way_.top().first <= now) {
    ended.push_back(under_way_.top().second);
    under_way_.pop();
  }
  return ended;
}

}  // namespace tombolo
