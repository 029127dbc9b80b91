#include <algorithm>
#include <utility>

#include <tombolo/models/model.hpp>
#include <tombolo/models/network/flows.hpp>

namespace tombolo {

Picoseconds message_time(const Model& model, Rank from, Rank to, Bytes bytes) {
  const MessageCost cost = model.message(from, to, bytes);
  Picoseconds occupied = plus(cost.wire, cost.receive);
  if (cost.flow.bytes > 0) {
    occupied = std::max(occupied, flow_time(*model.network(), from, to, cost.flow));
  }
  return plus(plus(cost.transit, occupied), cost.receive_overhead);
}

namespace {

class NetworkOnRanks final : public Network {
 public:
  NetworkOnRanks(const Network& network, const std::vector<Rank>& ranks) : network_(&network), ranks_(ranks) {
    for (const BytesPerSecond rate : network.rates()) add_link(rate);
  }
  void find_route(Rank from, Rank to, Route& route) const override {
    network_->find_route(ranks_[static_cast<std::size_t>(from)], ranks_[static_cast<std::size_t>(to)], route);
  }

 private:
  const Network* network_;
  std::vector<Rank> ranks_;
};

}  // namespace

OnRanks::OnRanks(const Model& model, std::vector<Rank> ranks) : model_(&model), ranks_(std::move(ranks)) {
  if (const SharedCores* cores = model.shared_cores()) cores_ = cores->among(ranks_);
  if (const Network* network = model.network()) network_ = std::make_unique<NetworkOnRanks>(*network, ranks_);
  // The maximum over the messages from the first rank; any other latency is at most about twice that, which is exact
  // enough for a window.
  for (std::size_t r = 1; r < ranks_.size(); ++r) {
    longest_latency_ = std::max(longest_latency_, message_time(*model_, ranks_[0], ranks_[r], 0));
  }
  longest_latency_ = std::min(longest_latency_, model.longest_latency());
}

MessageCost OnRanks::message(Rank from, Rank to, Bytes bytes) const {
  return model_->message(outside(from), outside(to), bytes);
}

}  // namespace tombolo
