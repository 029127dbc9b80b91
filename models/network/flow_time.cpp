#include <algorithm>

#include <tombolo/models/network/flow_time.hpp>

namespace tombolo {

Picoseconds flow_time(const Network& network, Rank from, Rank to, Flow flow) {
  BytesPerSecond rate = flow.most > 0 ? flow.most : never;
  for (const Network::Use& use : network.route(from, to).uses) {
    const BytesPerSecond most = network.rates()[static_cast<std::size_t>(use.link)];
    // Both are below 2^63 / whole: rates of links in B/s.
    rate = std::min(rate, use.part == Network::whole ? most : most * Network::whole / use.part);
  }
  return transfer_time(flow.bytes, std::max<BytesPerSecond>(rate, 1));
}

}  // namespace tombolo
