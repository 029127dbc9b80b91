#include <algorithm>

#include <tombolo/models/model.hpp>

namespace tombolo {

namespace {

// Alone on its route.
Picoseconds flow_time(const Network* network, const Flow& flow) {
  if (flow.route < 0 || network == nullptr || flow.bytes == 0) return 0;
  BytesPerSecond rate = flow.most > 0 ? flow.most : never;
  for (const Network::Use& use : network->route(flow.route).uses) {
    if (use.part >= 1000) rate = std::min(rate, network->rates()[static_cast<std::size_t>(use.link)] / use.part * 1000);
  }
  return transfer_time(flow.bytes, std::max<BytesPerSecond>(rate, 1));
}

}  // namespace

Picoseconds message_time(const Model& model, Rank from, Rank to, Bytes bytes) {
  const MessageCost cost = model.message(from, to, bytes);
  return plus(plus(cost.transit, flow_time(model.network(), cost.flow)), plus(cost.receive, cost.receive_overhead));
}

}  // namespace tombolo
