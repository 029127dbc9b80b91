#pragma once

#include <queue>
#include <utility>
#include <vector>

#include <tombolo/models/network/flows.hpp>

namespace tombolo {

/// Flows that queue for links instead of sharing them: a link carries one flow after the other, all links of a flow
/// start independently, and the flow ends with the last of them. The throughput of a link is that of fair sharing
/// (flows.hpp) at a hundredth of the work; only the order in which concurrent flows end differs. For a first selection
/// among many plans.
class Queues final : public Traffic {
 public:
  /// `network` must outlive this.
  explicit Queues(const Network& network) : network_(network), free_(network.rates().size(), 0) {}

  void start(int id, Rank from, Rank to, Flow flow, Picoseconds now) override;
  bool empty() const override { return under_way_.empty(); }
  Picoseconds next_end() override { return under_way_.empty() ? never : under_way_.top().first; }
  std::vector<int> end(Picoseconds now) override;

 private:
  using Ending = std::pair<Picoseconds, int>;
  const Network& network_;
  Network::Route route_;           // of the flow that begins
  std::vector<Picoseconds> free_;  // end of the last flow on each link
  std::priority_queue<Ending, std::vector<Ending>, std::greater<>> under_way_;
};

}  // namespace tombolo
