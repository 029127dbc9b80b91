#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include <tombolo/models/network/flows.hpp>

#include "models/model_laboratory.hpp"

/// A machine that is exactly as a multiport model says: two messages that are under way together share what they meet
/// on, and what waits for its receive does.
class MultiportLaboratory : public ModelLaboratory {
 public:
  using ModelLaboratory::ModelLaboratory;

  tombolo::Picoseconds time(const tombolo::Experiment& e) const override {
    using Kind = tombolo::Experiment::Kind;
    const tombolo::MessageCost cost = model().message(e.a, e.b, e.there);
    // From posting a late receive on.
    const Picoseconds after = cost.awaits_receive ? cost.transit_after_posting + flowing({{e.a, e.b, 0, e.there}}) : 0;
    switch (e.kind) {
      case Kind::exchange:
        return cost.transit + flowing({{e.a, e.b, 0, e.there}, {e.b, e.a, 0, e.there}}) + cost.receive_overhead;
      case Kind::one_to_two:
        return one_to_two(e);
      case Kind::train:
        return train(e) + way(e.b, e.a, 0);
      case Kind::late_receive:
        return cost.synchronous ? e.delay + after : cost.overhead;
      case Kind::late_arrival:
        return after + cost.receive_overhead;
      default:
        return ModelLaboratory::time(e);
    }
  }

 private:
  struct Sent {
    tombolo::Rank from;
    tombolo::Rank to;
    Picoseconds begin;
    tombolo::Bytes bytes;
  };

  // When each flow ends; those of messages without bytes at once.
  std::vector<Picoseconds> ends(const std::vector<Sent>& messages) const {
    tombolo::Flows flows(*model().network());
    std::vector<Picoseconds> end;
    const auto finish = [&] {
      const Picoseconds now = flows.next_end();
      for (const int id : flows.end(now)) end[static_cast<std::size_t>(id)] = now;
    };
    for (std::size_t m = 0; m < messages.size(); ++m) {
      const Sent& sent = messages[m];
      while (!flows.empty() && flows.next_end() <= sent.begin) finish();
      end.push_back(sent.begin);
      const tombolo::Flow flow = model().message(sent.from, sent.to, sent.bytes).flow;
      if (flow.bytes > 0) flows.start(static_cast<int>(m), sent.from, sent.to, flow, sent.begin);
    }
    while (!flows.empty()) finish();
    return end;
  }
  Picoseconds flowing(const std::vector<Sent>& messages) const {
    const std::vector<Picoseconds> end = ends(messages);
    return *std::max_element(end.begin(), end.end());
  }

  // All messages share what they meet on; the receiver takes one after the other.
  Picoseconds train(const tombolo::Experiment& e) const {
    const tombolo::MessageCost cost = model().message(e.a, e.b, e.there);
    std::vector<Sent> messages;
    for (int i = 0; i < e.count; ++i) messages.push_back({e.a, e.b, cost.transit + i * cost.overhead, e.there});
    std::vector<Picoseconds> end = ends(messages);
    std::ranges::sort(end);
    Picoseconds received = 0;
    for (const Picoseconds one : end) received = std::max(received, one) + cost.receive_overhead;
    return received;
  }

  // The second message leaves an overhead after the first; the root receives the answers, which are empty, in turn.
  Picoseconds one_to_two(const tombolo::Experiment& e) const {
    const tombolo::MessageCost b = model().message(e.a, e.b, e.there);
    const tombolo::MessageCost c = model().message(e.a, e.c, e.there);
    const std::vector<Picoseconds> end =
        ends({{e.a, e.b, b.transit, e.there}, {e.a, e.c, b.overhead + c.transit, e.there}});
    const Picoseconds own = model().message(e.b, e.a, 0).receive_overhead;
    const auto back = [&](tombolo::Rank from, const tombolo::MessageCost& there, Picoseconds arrived) {
      return arrived + there.receive_overhead + way(from, e.a, 0) - own;
    };
    const auto [first, second] = std::minmax({back(e.b, b, end[0]), back(e.c, c, end[1])});
    return std::max(first + own, second) + own;
  }
};
