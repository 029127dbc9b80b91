#pragma once

#include <vector>

#include <tombolo/platform.hpp>

namespace tombolo {

/// The routes of a platform by pairs of ranks. A query takes constant time; memory grows with the number of ranks and
/// links.
class Routes {
 public:
  /// `platform` must outlive this.
  explicit Routes(const Platform& platform);

  int cluster_of(Rank rank) const { return places_[static_cast<std::size_t>(rank)].cluster; }
  int host_of(Rank rank) const { return places_[static_cast<std::size_t>(rank)].host; }

  /// Latency from the sender's network to the receiver's, without the processors' overheads; inside a host with them. 0
  /// from a rank to itself.
  Picoseconds latency(Rank from, Rank to) const;
  /// What a small message takes the processors at its ends. That is known of messages between hosts; of one inside a
  /// host each end takes no more than half.
  Picoseconds send_overhead(Rank from, Rank to) const;
  Picoseconds receive_overhead(Rank from, Rank to) const;
  /// The time from the start of a send until an empty message has arrived, before its receiver takes it.
  Picoseconds transit(Rank from, Rank to) const;
  /// The part of a latency beyond the hosts' own, between hosts of two clusters or, for a == b, of one.
  Picoseconds between(int a, int b) const;
  /// The hosts' own part of it.
  Picoseconds own(int host) const { return platform_->hosts[static_cast<std::size_t>(host)].latency.value; }
  /// Rate of one message, in B/s; 0 if unknown.
  BytesPerSecond rate(Rank from, Rank to) const;

 private:
  struct Placed {
    int host = 0;
    int cluster = 0;
    std::vector<const Level*> inside;  ///< from the host inwards
  };
  const Level& innermost_of_both(Rank from, Rank to) const;
  const Link& link(int a, int b) const;
  Picoseconds no_more_than_half(Picoseconds overhead, Rank from, Rank to) const;

  const Platform* platform_;
  std::vector<Placed> places_;  // by rank
  std::vector<const Level*> clusters_;
};

}  // namespace tombolo
