#include <algorithm>

#include <tombolo/models/flows.hpp>
#include <tombolo/models/model.hpp>

namespace tombolo {

Picoseconds message_time(const Model& model, Rank from, Rank to, Bytes bytes) {
  const MessageCost cost = model.message(from, to, bytes);
  Picoseconds flowing = 0;
  if (cost.flow.bytes > 0) {
    Flows flows(*model.network());
    flows.start(0, from, to, cost.flow, 0);
    flowing = flows.next_end();
  }
  return plus(plus(cost.transit, flowing), plus(cost.receive, cost.receive_overhead));
}

}  // namespace tombolo
