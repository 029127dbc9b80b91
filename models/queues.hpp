#pragma once

#include <queue>
#include <utility>
#include <vector>

#include <tombolo/models/traffic.hpp>

namespace tombolo {

/// Flows that do not share a link but queue for it: each link carries one after the other, all links of a flow at the
/// same time, and the flow ends with the last of them. No more goes over a link than it carries, as where flows share
/// it fairly (flows.hpp), for a hundredth of the work; what differs is which of several flows ends first. For a first
/// look at many plans.
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
  std::vector<Picoseconds> free_;  // when each link has carried all that it was given
  std::priority_queue<Ending, std::vector<Ending>, std::greater<>> under_way_;
};

}  // namespace tombolo
