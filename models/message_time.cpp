#include <algorithm>

#include <tombolo/models/model.hpp>
#include <tombolo/models/network/flow_time.hpp>

namespace tombolo {

Picoseconds message_time(const Model& model, Rank from, Rank to, Bytes bytes) {
  const MessageCost cost = model.message(from, to, bytes);
  Picoseconds occupied = plus(cost.wire, cost.receive);
  if (cost.flow.bytes > 0) {
    occupied = std::max(occupied, flow_time(*model.network(), from, to, cost.flow));
  }
  return plus(plus(cost.transit, occupied), cost.receive_overhead);
}

}  // namespace tombolo
