#include <algorithm>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include <tombolo/models/kinds/common.hpp>
#include <tombolo/models/kinds/multiport/multiport.hpp>
#include <tombolo/models/network/flows.hpp>
#include <tombolo/units.hpp>

namespace tombolo {

Multiport::Multiport(const Platform& platform, Parameters parameters)
    : platform_(&platform),
      parameters_(std::move(parameters)),
      classes_(platform),
      routes_(platform),
      network_(platform, parameters_.ports),
      cores_(platform) {
  if (parameters_.protocols.size() != static_cast<std::size_t>(classes_.size())) {
    throw Error(fmt::format("multiport: protocols of {} classes of pairs on a platform with {}",
                            parameters_.protocols.size(), classes_.size()),
                "estimate the models of this platform anew");
  }
  for (int c = 0; c < classes_.size(); ++c) {
    const auto [a, b] = classes_.sample(c, 1).front();
    longest_latency_ = std::max(longest_latency_, routes_.latency(a, b));
  }
}

std::string Multiport::describe() const {
  return "multi-port: processors do one thing at a time, bytes share ports and links";
}

MessageCost Multiport::message(Rank from, Rank to, Bytes bytes) const {
  const Picoseconds latency = routes_.latency(from, to);
  const Picoseconds send = routes_.send_overhead(from, to);
  const Picoseconds receive = routes_.receive_overhead(from, to);
  MessageCost cost{.overhead = send,
                   .send = send,
                   .transit = routes_.transit(from, to),
                   .flow = {.bytes = bytes, .most = routes_.rate(from, to)},
                   .receive_overhead = receive,
                   .saved_if_synchronous = saved_if_synchronous(receive, parameters_.synchronous_receive)};
  if (from == to) return cost;
  if (cores_.any()) add_time_on_shared_cores(from, to, cost);
  const Protocol& protocol = parameters_.protocols[static_cast<std::size_t>(classes_.of(from, to))];
  const bool large = bytes > protocol.eager;
  if (large) cost.transit = plus(cost.transit, part_of(latency, protocol.handshake));
  if (large) cost.make_synchronous();
  cost.awaits_receive = large ? protocol.large_awaits : protocol.small_awaits;
  cost.transit_after_posting = part_of(latency, large ? protocol.large_after_posting : protocol.small_after_posting);
  if (parameters_.header > 0 && routes_.host_of(from) != routes_.host_of(to)) add_header(latency, cost);
  return cost;
}

// Latencies are those of empty messages, so that the header takes part of them where the rate is known.
void Multiport::add_header(Picoseconds latency, MessageCost& cost) const {
  cost.flow.bytes = plus(cost.flow.bytes, parameters_.header);
  if (cost.flow.most <= 0) return;
  const Picoseconds time = std::min(latency, transfer_time(parameters_.header, cost.flow.most));
  cost.transit -= time;
  cost.transit_after_posting = std::max<Picoseconds>(cost.transit_after_posting - time, 0);
}

// Half of what a message inside a host takes at both ends is the time of each; the overheads of the platform, measured
// between hosts, come on top only there.
void Multiport::add_time_on_shared_cores(Rank from, Rank to, MessageCost& cost) const {
  const int a = routes_.host_of(from);
  const int b = routes_.host_of(to);
  const auto half = [&](int host) { return platform_->hosts[static_cast<std::size_t>(host)].message.value / 2; };
  if (a == b && half(a) > 0) {
    cost.transit = routes_.latency(from, to);
    cost.overhead = cost.send = cost.receive_overhead = cost.saved_if_synchronous = 0;
  }
  cost.overhead = plus(cost.overhead, half(a));
  cost.send = cost.overhead;
  cost.transit = plus(cost.transit, half(a));
  cost.receive_overhead = plus(cost.receive_overhead, half(b));
}

Picoseconds Multiport::local(Bytes bytes) const {
  return transfer_time(bytes, parameters_.memory_rate);
}

Picoseconds train_time(const Multiport& model, Rank from, Rank to, Bytes bytes, int count) {
  const MessageCost cost = model.message(from, to, bytes);
  Flows flows(*model.network());
  Picoseconds received = 0;
  const auto arrive = [&](Picoseconds time) { received = plus(std::max(received, time), cost.receive_overhead); };
  for (int i = 0; i < count || !flows.empty();) {
    const Picoseconds start = i < count ? plus(cost.transit, cost.overhead * i) : never;
    if (!flows.empty() && flows.next_end() <= start) {
      const Picoseconds now = flows.next_end();
      for (std::size_t ended = flows.end(now).size(); ended > 0; --ended) arrive(now);
    } else {
      if (cost.flow.bytes > 0) flows.start(i, from, to, cost.flow, start);
      if (cost.flow.bytes == 0) arrive(start);
      ++i;
    }
  }
  return received;
}

Multiport multiport_of(const Platform& platform) {
  const Multiport::Protocol eager{.eager = std::numeric_limits<Bytes>::max()};
  Multiport::Parameters parameters;
  parameters.protocols.assign(static_cast<std::size_t>(PairClasses(platform).size()), eager);
  parameters.ports.together.assign(clusters(platform.levels).size(), Network::whole);
  parameters.memory_rate = memory_rate_of(platform);
  return {platform, std::move(parameters)};
}

}  // namespace tombolo
