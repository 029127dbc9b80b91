#pragma once

#include <cstddef>
#include <limits>
#include <utility>
#include <vector>

#include <tombolo/platform/mpi/discovery/team.hpp>

namespace tombolo::discovery {

/// Concurrent large messages as (from, to). Every rank is in at most one flow, except the sender of the first, which
/// may send others, too.
using Flows = std::vector<std::pair<int, int>>;

/// The most concurrent flows: enough hosts to saturate any link that hosts can saturate.
constexpr std::size_t most_flows = 32;
/// The least size that is chosen for a message of several.
constexpr Bytes least_of_flow = Bytes{64} * 1024;

/// Options of measure_flows.
struct FlowOptions {
  BytesPerSecond enough =
      std::numeric_limits<BytesPerSecond>::max();  ///< a total of at least this rate is measured once only
  /// Target duration of each message, 0: sizes unchanged. With unequal flows, some end while others have hardly begun,
  /// and each looks as if it were alone; hence sizes are adjusted until all take about this long.
  Picoseconds lasting = 0;
};

/// Returns the total rate of all flows, in B/s, on the sender of the first flow; {0, 0} on the others. That sender
/// gives the messages, one per flow; ranks in no flow return at once. Repeats until the total is precise; a quick team
/// returns the most of three runs, or of one where times have no noise.
Measured measure_flows(Team& team, const Flows& flows, std::vector<LargeMessage> messages, FlowOptions options = {});

/// The rates of messages between two clusters. Where the directions differ (differ_by_way), those of the slower one.
struct LinkRates {
  LargeMessage one;          ///< from the first host of one cluster to the first of the other
  Measured total;            ///< total rate of `flows` concurrent messages between different hosts; B/s
  int flows = 0;             ///< 0: not measured
  BytesPerSecond there = 0;  ///< the rate of one message from the first cluster to the second; 0 if not measured
  BytesPerSecond back = 0;   ///< of one message from the second cluster to the first; 0 if not measured
};

/// Options of measure_links.
struct LinkOptions {
  bool apart = false;                      ///< a round begins after the end of the previous one
  bool one_flow = false;                   ///< only one message at a time
  std::vector<BytesPerSecond> ports = {};  ///< send and receive rate by host; 0, or an empty list, if unknown
  std::vector<LinkRates> rough = {};  ///< by pair; a single message is not measured again if that is costly and precise
  bool if_faster = false;  ///< links whose message takes as long as the rough figures say are not measured again
};

/// Measures the pairs of clusters round by round, the pairs of a round concurrently: first one message at a time
/// between the first hosts of both, which should be their fastest, then as many flows as the smaller cluster has hosts,
/// and as its first host can send beside to others of the larger, at most `most_flows`. Returns the rates by pair, as
/// numbered by link_index(), on all ranks; pairs skipped for lack of time stay empty. All arguments are the same on all
/// ranks. Collective.
std::vector<LinkRates> measure_links(Team& team, const std::vector<std::vector<int>>& clusters,
                                     const std::vector<std::vector<std::pair<int, int>>>& rounds,
                                     const LinkOptions& options);

/// Returns true if one message over a link gets, but for `bound`, what its slower host can send, whose rate is this.
bool is_filled_by_hosts(const LinkRates& link, BytesPerSecond slower, double bound);

/// Gives each message the bytes that take so long at its rate, between least_of_flow and `at_most`.
void last(std::vector<LargeMessage>& messages, Picoseconds time, Bytes at_most);

/// Returns a message duration during most of which all messages are in transit, although their starts and ends differ
/// by latencies: so many times the fixed part of the longest.
Picoseconds long_enough(const std::vector<LargeMessage>& messages, Picoseconds latencies);

}  // namespace tombolo::discovery
