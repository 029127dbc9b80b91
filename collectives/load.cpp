#include <algorithm>
#include <vector>

#include <tombolo/collectives/load.hpp>

namespace tombolo {

Picoseconds heaviest_load(std::span<const Schedule> schedules, Bytes element_bytes, const Model& model) {
  const std::size_t ranks = schedules.size();
  std::vector<Picoseconds> processors(ranks, 0);
  std::vector<Picoseconds> out(ranks, 0);
  std::vector<Picoseconds> in(ranks, 0);
  const Network* const network = model.network();
  std::vector<Bytes> bytes(network == nullptr ? 0 : network->rates().size(), 0);  // times Network::whole
  Network::Route route;
  const auto add = [](Picoseconds& to, Picoseconds time) { to = plus(to, time); };
  for (std::size_t r = 0; r < ranks; ++r) {
    for (const Step& step : schedules[r].steps()) {
      if (step.kind == Step::Kind::receive) continue;
      if (step.kind != Step::Kind::send) {
        add(processors[r], model.local(step.count * element_bytes));
        continue;
      }
      const auto peer = static_cast<std::size_t>(step.peer);
      const MessageCost cost = model.message(static_cast<Rank>(r), step.peer, step.count * element_bytes);
      add(processors[r], cost.overhead);
      add(processors[peer], cost.receive_overhead);
      add(out[r], std::max(cost.overhead, cost.send));
      add(in[peer], cost.receive);
      if (network == nullptr || cost.flow.bytes == 0) continue;
      network->find_route(static_cast<Rank>(r), step.peer, route);
      for (const Network::Use& use : route.uses) {
        Bytes& sum = bytes[static_cast<std::size_t>(use.link)];
        sum = plus(sum, cost.flow.bytes * use.part);
      }
    }
  }
  Picoseconds heaviest = 0;
  for (const auto* const all : {&processors, &out, &in}) {
    for (const Picoseconds time : *all) heaviest = std::max(heaviest, time);
  }
  for (std::size_t link = 0; link < bytes.size(); ++link) {
    heaviest = std::max(heaviest, transfer_time(bytes[link] / Network::whole, network->rates()[link]));
  }
  return heaviest;
}

}  // namespace tombolo
