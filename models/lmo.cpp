#include <algorithm>

#include <tombolo/models/check_figure.hpp>
#include <tombolo/models/lmo.hpp>
#include <tombolo/models/total_cost.hpp>
#include <tombolo/platform/readable.hpp>

namespace tombolo {

namespace {

// What may be negative, and is far from the ends of what is representable unless it is one of them.
Picoseconds sum(Picoseconds a, Picoseconds b) {
  if (a > 0 && b > 0) return plus(a, b);
  return a < 0 && b < -never - a ? -never : a + b;
}

}  // namespace

Lmo::Lmo(Parameters parameters) : parameters_(std::move(parameters)) {
  check_positive("memory rate", parameters_.memory_rate, "B/s");
  check_not_negative("threshold S", parameters_.serialised_above.value_or(0), "bytes");
  Picoseconds fixed = 0;
  Picoseconds latency = 0;
  for (const Delays& processor : parameters_.processors) {
    check_not_negative("processing delay C", processor.fixed, "ps");
    fixed = std::max(fixed, processor.fixed);
  }
  for (const LinkCost& link : parameters_.links.cells()) latency = std::max(latency, link.latency);
  longest_latency_ = plus(plus(fixed, fixed), latency);
}

std::string Lmo::describe() const {
  return fmt::format("LMO{}: {} ranks, {} links, latencies up to {}", parameters_.extended ? " with latencies" : "",
                     parameters_.processors.size(), parameters_.links.cells().size(), readable(longest_latency_));
}

MessageCost Lmo::message(Rank from, Rank to, Bytes bytes) const {
  const LinkCost& link = parameters_.links.at(from, to);
  const Delays& sender = parameters_.processors[static_cast<std::size_t>(from)];
  const Delays& receiver = parameters_.processors[static_cast<std::size_t>(to)];
  const Picoseconds send = sum(sender.fixed, time_for(bytes, sender.per_megabyte));
  const Picoseconds wire = sum(link.latency, time_for(bytes, link.per_megabyte));
  const Picoseconds receive = time_for(bytes, receiver.per_megabyte);
  const Picoseconds total = sum(sum(send, wire), sum(receive, receiver.fixed));
  MessageCost cost = total_cost({.overhead = sender.fixed,
                                 .send = std::max<Picoseconds>(send, 0),
                                 .receive = receive,
                                 .receive_overhead = receiver.fixed},
                                total);
  if (bytes > parameters_.serialised_above.value_or(never)) cost.send = std::max(cost.send, total);
  return cost;
}

}  // namespace tombolo
