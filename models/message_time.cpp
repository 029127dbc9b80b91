#include <algorithm>

#include <tombolo/models/flows.hpp>
#include <tombolo/models/model.hpp>

namespace tombolo {

Picoseconds message_time(const Model& model, Rank from, Rank to, Bytes bytes) {
  const MessageCost cost = model.message(from, to, bytes);
  Picoseconds occupied = plus(cost.wire, cost.receive);
  if (cost.flow.bytes > 0) {
    Flows flows(*model.network());
    flows.start(0, from, to, cost.flow, 0);
    occupied = std::max(occupied, flows.next_end());
  }
  return plus(plus(cost.transit, occupied), cost.receive_overhead);
}

}  // namespace tombolo
