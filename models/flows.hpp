#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include <tombolo/models/traffic.hpp>

namespace tombolo {

/// What flows at a time over a network, and at which rates: max-min fair with weights, a flow's own limit included
/// (Bertsekas and Gallager, Data Networks, 6.5.2; weights: Velho and Legrand 2009). In integers. Where many flows are
/// under way, rates are shared out anew once one in sixteen has begun or ended, or after an eighth of what the shortest
/// flow takes.
class Flows final : public Traffic {
 public:
  /// `network` must outlive this.
  explicit Flows(const Network& network);

  void start(int id, Rank from, Rank to, Flow flow, Picoseconds now) override;
  bool empty() const override { return under_way_.empty(); }
  /// When rates are shared out counts too.
  Picoseconds next_end() override;
  /// With those flows that would have ended so soon after it that it makes no difference to them (one part in 256 of
  /// the time they took). None where only rates change then.
  std::vector<int> end(Picoseconds now) override;

 private:
  struct Active {
    int id = 0;
    BytesPerSecond most = 0;
    Network::Route route = {};
    std::vector<std::size_t> positions = {};  // by use of the route: where it stands among the link's flows
    std::int64_t own_level = 0;               // at which it has `most`
    Picoseconds begin = 0;
    BytesPerSecond rate = 0;
    Picoseconds end = never;  // at that rate
    bool open = false;        // while rates are shared out: has none yet
  };
  struct User {
    int place = 0;  // of the flow
    int use = 0;    // which of its route is this link
  };
  struct Link {
    BytesPerSecond rate = 0;
    std::vector<User> flows;  // that use it
    std::int64_t weight = 0;  // of all its flows, times Network::whole
    // While rates are shared out:
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
  std::vector<int> free_;                             // places in flows_ that are not in use
  std::vector<int> under_way_;                        // places in use, by own_level
  std::vector<int> changed_;                          // links on which a flow has begun or ended
  std::size_t changes_ = 0;                           // flows that have begun or ended since rates were shared out
  Picoseconds due_ = never;                           // when rates are shared out because of that
  Picoseconds shortest_ = 0;                          // what the shortest flow takes
  std::vector<int> affected_;                         // links whose flows get new rates
  std::vector<std::pair<std::int64_t, int>> narrow_;  // heap of links by level, while rates are shared out
  std::optional<Picoseconds> first_end_ = never;      // of all flows, unless rates have changed since it was found
  Picoseconds now_ = 0;
};

}  // namespace tombolo
