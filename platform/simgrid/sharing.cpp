#include <algorithm>

#include <tombolo/platform/simgrid/sharing.hpp>

namespace tombolo::simgrid {

namespace {

// The two hosts of a wire's first route, and for each whether it is an end of all other routes, too.
struct Use {
  struct End {
    int host = -1;
    bool of_all = true;
    int messages_out = 0;
    int messages_in = 0;
  };
  End ends[2];

  void pass(int from, int to) {
    if (ends[0].host < 0) {
      ends[0].host = from;
      ends[1].host = to;
    }
    for (End& end : ends) {
      if (end.host == from) {
        ++end.messages_out;
      } else if (end.host == to) {
        ++end.messages_in;
      } else {
        end.of_all = false;
      }
    }
  }

  // A link that connects two hosts only is owned by neither.
  bool between_two() const { return ends[0].of_all && ends[1].of_all; }

  int owner(int hosts) const {
    if (between_two()) return -1;
    for (const End& end : ends) {
      if (end.of_all && (end.messages_out == hosts - 1 || end.messages_in == hosts - 1)) return end.host;
    }
    return -1;
  }
};

// The total rate that the senders through a wire could send, and that its receivers could receive.
struct Demand {
  BytesPerSecond out = 0;
  BytesPerSecond in = 0;
  int last_sender = -1;
  std::vector<bool> receives;

  void pass(int from, int to, const Sharing& sharing) {
    if (from != last_sender) {
      last_sender = from;
      out = plus(out, sharing.own_rate[static_cast<std::size_t>(from)]);
    }
    if (receives.empty()) receives.resize(sharing.own_rate.size());
    if (!receives[static_cast<std::size_t>(to)]) {
      receives[static_cast<std::size_t>(to)] = true;
      in = plus(in, sharing.own_rate[static_cast<std::size_t>(to)]);
    }
  }
};

}  // namespace

Sharing find_sharing(const Fabric& fabric) {
  const std::size_t wires = fabric.wires().size();
  Sharing sharing{.owner = std::vector<int>(wires, -1),
                  .contended = std::vector<char>(wires, 0),
                  .own_rate = std::vector<BytesPerSecond>(static_cast<std::size_t>(fabric.hosts()), unlimited)};
  std::vector<Use> uses(wires);
  for_each_pair(fabric, [&](int from, int to, std::span<const int> route) {
    for (const int wire : route) uses[static_cast<std::size_t>(wire)].pass(from, to);
  });
  for (std::size_t w = 0; w < wires; ++w) {
    const int owner = sharing.owner[w] = uses[w].owner(fabric.hosts());
    if (owner < 0) continue;
    BytesPerSecond& rate = sharing.own_rate[static_cast<std::size_t>(owner)];
    rate = std::min(rate, fabric.wires()[w].rate);
  }

  const auto may_contend = [&](std::size_t w) {
    return fabric.wires()[w].shared && sharing.owner[w] < 0 && !uses[w].between_two();
  };
  std::vector<Demand> demands(wires);
  for_each_pair(fabric, [&](int from, int to, std::span<const int> route) {
    for (const int wire : route) {
      const auto w = static_cast<std::size_t>(wire);
      if (may_contend(w)) demands[w].pass(from, to, sharing);
    }
  });
  for (std::size_t w = 0; w < wires; ++w) {
    const Demand& demand = demands[w];
    sharing.contended[w] = static_cast<char>(fabric.wires()[w].rate < std::min(demand.out, demand.in));
  }
  return sharing;
}

BytesPerSecond rate_beyond_hosts(const Fabric& fabric, const Sharing& sharing, std::span<const int> route) {
  BytesPerSecond rate = unlimited;
  for (const int wire : route) {
    if (sharing.owner[static_cast<std::size_t>(wire)] < 0) rate = std::min(rate, fabric.wire(wire).rate);
  }
  return rate;
}

}  // namespace tombolo::simgrid
