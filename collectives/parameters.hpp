#pragma once

#include <cstdint>
#include <vector>

#include <tombolo/collectives/mapped_trees.hpp>
#include <tombolo/platform/units.hpp>

namespace tombolo {

/// What shares a window among a rank's messages.
enum class Lanes : std::uint8_t {
  per_link,  ///< those to one peer: keeps each link busy and no more
  per_rank   ///< those to all peers: they do not share the rank's own link with one another
};

/// What may be varied within an algorithm. An algorithm says which of these it heeds.
struct Parameters {
  Bytes segment_bytes = 0;  ///< messages are cut into segments of at most this size, at element boundaries; 0: whole
  int window = 0;           ///< messages under way at a time on each lane the algorithm opens; 0: no limit
  Lanes lanes = Lanes::per_link;
  /// How many a place serves: children of a tree, base of the digits of an exchange, trees that share out a vector; or
  /// how many ranks of a cluster drive each of its long links. At least Algorithm::least_radix; 0: the algorithm's own.
  int radix = 0;
  /// How many messages a place can have sent before its first one has arrived and can be passed on, as in the postal
  /// model (Bar-Noy and Kipnis 1992): latency over gap, rounded up. At least 1; 0: the algorithm's own.
  int delay = 0;
  std::vector<Rank>
      order{};  ///< which rank takes which place, the root the first; empty: upwards from the root, cyclic
  /// What each rank's link carries, in any unit: work that can be shared out is, in proportion. Empty: all alike.
  std::vector<std::int64_t> rates{};
  /// Trees over the ranks themselves, made for their platform, for algorithms that go along such. Empty: a plain one.
  MappedTrees trees{};

  bool operator==(const Parameters&) const = default;
};

}  // namespace tombolo
