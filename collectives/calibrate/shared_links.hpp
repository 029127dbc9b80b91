#pragma once

#include <array>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <tombolo/counts.hpp>
#include <tombolo/platform.hpp>

namespace tombolo {

/// The links shared by messages of different ranks.
enum class LinkKind {
  port,    ///< between a host and its network
  uplink,  ///< out of a cluster or group of clusters (Level::uplink)
  distant  ///< between two clusters (Link)
};
constexpr std::size_t link_kinds = 3;
/// Returns "port", "uplink" or "distant".
std::string_view name(LinkKind kind);

/// A link and its load by an alltoall, in the direction with the larger load.
struct SharedLink {
  LinkKind kind = LinkKind::port;
  std::string name;         ///< the host, the level, or the two clusters: "c1 - c2"
  BytesPerSecond rate = 0;  ///< of all messages together in one direction
  std::int64_t blocks = 0;  ///< ordered pairs of ranks whose equal blocks cross the link; for unequal blocks, elements
  bool operator==(const SharedLink&) const = default;
};

/// Returns the shared links of known rate that an alltoall among these ranks uses: ports by host, uplinks from the
/// outermost level inwards, then links between clusters. Of n ranks, k behind a port or uplink send and receive k (n -
/// k) blocks; k_a k_b blocks go from cluster a to b.
///
/// The rate of a link between clusters is the measured rate of several messages together, Link::total. Without that
/// measurement, each host of the smaller cluster (by hosts) is assumed to get the rate of one message.
std::vector<SharedLink> shared_links(const Platform& platform, std::span<const Rank> participants);

/// Returns the shared links of an alltoallv in which rows.count(i) * columns.count(j) elements go from participants[i]
/// to participants[j] (as in AlltoallCounts::product).
std::vector<SharedLink> shared_links(const Platform& platform, std::span<const Rank> participants, const Blocks& rows,
                                     const Blocks& columns);

/// The time of the busiest link of each kind, by LinkKind, with blocks of `bytes` bytes; 0 for a kind without links.
using LinkLoads = std::array<Picoseconds, link_kinds>;
LinkLoads loads(std::span<const SharedLink> links, Bytes bytes);

}  // namespace tombolo
