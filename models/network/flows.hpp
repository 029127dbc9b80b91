#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include <tombolo/models/network/network.hpp>

namespace tombolo {

/// Concurrent flows in a network with weighted max-min fair rates, each flow's own limit included (Bertsekas and
/// Gallager, Data Networks, 6.5.2; weights: Velho and Legrand 2009). In integers. With many active flows, rates are
/// recomputed once one flow in sixteen has begun or ended, or after an eighth of the shortest flow's duration.
class Flows {
 public:
  /// `network` must outlive this.
  explicit Flows(const Network& network);

  /// Starts a flow; `id` is the caller's identifier. Times do not decrease.
  void start(int id, Rank from, Rank to, Flow flow, Picoseconds now);
  bool empty() const { return under_way_.empty(); }
  /// The time at which the next flow ends or rates are recomputed, if no flow starts before; `never` without active
  /// flows.
  Picoseconds next_end();
  /// Returns the flows that end at `now`, the result of next_end(), until the next call. Includes flows that would end
  /// so soon after `now` that the difference is negligible (one part in 256 of their duration). Empty if only rates
  /// change at `now`.
  const std::vector<int>& end(Picoseconds now);

 private:
  struct Active {
    int id = 0;
    BytesPerSecond most = 0;
    Network::Route route = {};
    std::vector<std::size_t> positions = {};  // by use of the route: index among the link's flows
    std::int64_t own_level = 0;               // the level at which the rate is `most`
    Picoseconds begin = 0;
    BytesPerSecond rate = 0;
    Picoseconds end = never;  // at the current rate
    bool open = false;        // without a rate yet, during share_out()
  };
  struct User {
    int place = 0;  // index of the flow
    int use = 0;    // index of this link in the flow's route
  };
  struct Link {
    BytesPerSecond rate = 0;
    std::vector<User> flows;  // active flows on the link
    std::int64_t weight = 0;  // sum over its flows, times Network::whole
    // Valid during share_out():
    BytesPerSecond room = 0;
    std::int64_t open = 0;  // as `weight`, of flows without a rate
    bool affected = false;
  };

  Active& at(int place) { return flows_[static_cast<std::size_t>(place)]; }
  Link& link(int index) { return links_[static_cast<std::size_t>(index)]; }
  void leave_links(const Active& active);
  void share_out();
  void share_out_if_due();
  void changed(const Active& active);
  void find_affected();
  void set_rate(Active& active, BytesPerSecond rate);
  void fix(Active& active, BytesPerSecond rate);

  const Network& network_;
  std::vector<Link> links_;
  std::vector<Active> flows_;
  std::vector<int> free_;                             // unused indices of flows_
  std::vector<int> under_way_;                        // used indices of flows_, by own_level
  std::vector<int> ended_;                            // by the last end()
  std::vector<int> changed_;                          // links on which a flow has begun or ended
  std::size_t changes_ = 0;                           // flows begun or ended since the last share_out()
  Picoseconds due_ = never;                           // time of the next share_out()
  Picoseconds shortest_ = 0;                          // duration of the shortest flow
  std::vector<int> affected_;                         // links whose flows get new rates
  std::vector<std::pair<std::int64_t, int>> narrow_;  // heap of links by level, during share_out()
  std::optional<Picoseconds> first_end_ = never;      // of all flows; empty after a change of rates
  Picoseconds now_ = 0;
};

/// Flows that queue for links instead of sharing them: a link carries one flow after the other, all links of a flow
/// start independently, and the flow ends with the last of them. The throughput of a link is that of fair sharing
/// (flows.hpp) at a hundredth of the work; only the order in which concurrent flows end differs. For a first selection
/// among many plans.
class Queues {
 public:
  /// `network` must outlive this.
  explicit Queues(const Network& network) : network_(network), free_(network.rates().size(), 0) {}

  /// Starts a flow; returns its end. Times do not decrease.
  Picoseconds start(Rank from, Rank to, Flow flow, Picoseconds now);

 private:
  const Network& network_;
  Network::Route route_;           // of the flow that begins
  std::vector<Picoseconds> free_;  // end of the last flow on each link
};

/// The time of a flow without concurrent flows: limited by its own maximum rate and by the narrowest of its links.
Picoseconds flow_time(const Network& network, Rank from, Rank to, Flow flow);

}  // namespace tombolo
