#pragma once

#include <cstdint>
#include <vector>

#include <tombolo/models/network.hpp>

namespace tombolo {

/// What flows at a time over a network, and at which rates: max-min fair with weights, a flow's own limit included
/// (Bertsekas and Gallager, Data Networks, 6.5.2; weights: Velho and Legrand 2009). In integers.
class Flows {
 public:
  explicit Flows(const Network& network);

  /// A flow begins; `id` is the caller's name for it. Times never go back.
  void start(int id, Rank from, Rank to, Flow flow, Picoseconds now);
  bool empty() const { return under_way_.empty(); }
  /// When the next flow ends if none begins before; `never` where none is under way.
  Picoseconds next_end();
  /// The flows that end at that time, which next_end() said: those too that would have ended so soon after it that it
  /// makes no difference to them (one part in 256 of the time they took).
  std::vector<int> end(Picoseconds now);

 private:
  struct Active {
    int id = 0;
    std::int64_t left = 0;  // in 1/1024 B
    BytesPerSecond most = 0;
    BytesPerSecond rate = 0;
    std::int64_t weight = 1;
    Picoseconds begin = 0;
    std::vector<Network::Use> uses;
  };
  struct Link {
    BytesPerSecond rate = 0;
    std::vector<int> flows;  // that use it
    // While rates are shared out:
    BytesPerSecond room = 0;
    std::int64_t weight = 0;  // of flows without a rate, times Network::whole
    bool affected = false;
  };

  void advance(Picoseconds now);
  void remove(int place);
  void share_out();
  std::vector<int> affected_flows();
  void fix(int flow, BytesPerSecond rate);
  Picoseconds end_of(const Active& flow) const;

  const Network& network_;
  std::vector<Link> links_;
  std::vector<Active> flows_;
  std::vector<int> free_;       // places in flows_ that are not in use
  std::vector<int> under_way_;  // places in use
  std::vector<int> changed_;    // links on which a flow has begun or ended
  std::vector<int> affected_;   // links whose flows get new rates
  std::vector<char> marked_;    // by place in flows_: gets a new rate
  Picoseconds now_ = 0;
};

}  // namespace tombolo
