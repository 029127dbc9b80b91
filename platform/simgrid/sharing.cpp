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

// Returns the owners of the wires in stars: the wires of a leg belong to its host, for any number of hosts.
std::vector<int> owners_in_stars(const Fabric& fabric) {
  const Network& network = fabric.network();
  std::vector<int> host_at(network.points.size(), -1);
  for (int h = 0; h < fabric.hosts(); ++h) host_at[static_cast<std::size_t>(fabric.point(h))] = h;
  constexpr int nobody = -1;
  constexpr int several = -2;
  std::vector<int> leg_of(network.wires.size(), nobody);
  for (const Zone& zone : network.zones) {
    for (const auto& [point, leg] : zone.legs) {
      for (const auto* wires : {&leg.up, &leg.down}) {
        for (const int wire : *wires) {
          int& owner = leg_of[static_cast<std::size_t>(wire)];
          owner = owner == nobody || owner == point ? point : several;
        }
      }
    }
  }
  for (int& owner : leg_of) owner = owner >= 0 ? host_at[static_cast<std::size_t>(owner)] : -1;
  return leg_of;
}

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

template <class Visit>
void for_each_pair(Fabric& fabric, Visit visit) {
  for (int from = 0; from < fabric.hosts(); ++from) {
    for (int to = 0; to < fabric.hosts(); ++to) {
      if (from != to) visit(from, to, fabric.route(from, to));
    }
  }
}

}  // namespace

Sharing find_sharing(Fabric& fabric) {
  const Network& network = fabric.network();
  const std::size_t wires = network.wires.size();
  Sharing sharing{.owner = owners_in_stars(fabric),
                  .contended = std::vector<char>(wires, 0),
                  .own_rate = std::vector<BytesPerSecond>(static_cast<std::size_t>(fabric.hosts()), unlimited)};
  std::vector<Use> uses(wires);
  for_each_pair(fabric, [&](int from, int to, std::span<const int> route) {
    for (const int wire : route) uses[static_cast<std::size_t>(wire)].pass(from, to);
  });
  for (std::size_t w = 0; w < wires; ++w) {
    int& owner = sharing.owner[w];
    if (owner < 0) owner = uses[w].owner(fabric.hosts());
    if (owner < 0) continue;
    BytesPerSecond& rate = sharing.own_rate[static_cast<std::size_t>(owner)];
    rate = std::min(rate, network.wires[w].rate);
  }

  const auto may_contend = [&](std::size_t w) {
    return network.wires[w].shared && sharing.owner[w] < 0 && !uses[w].between_two();
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
    sharing.contended[w] = static_cast<char>(network.wires[w].rate < std::min(demand.out, demand.in));
  }
  return sharing;
}

BytesPerSecond rate_beyond_hosts(const Fabric& fabric, const Sharing& sharing, std::span<const int> route) {
  BytesPerSecond rate = unlimited;
  for (const int wire : route) {
    if (sharing.owner[static_cast<std::size_t>(wire)] < 0) rate = std::min(rate, fabric.network().wire(wire).rate);
  }
  return rate;
}

}  // namespace tombolo::simgrid
