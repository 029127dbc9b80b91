#pragma once

#include <array>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <tombolo/collectives/blocks.hpp>
#include <tombolo/platform/platform.hpp>

namespace tombolo {

/// What messages of different ranks share on their way.
enum class LinkKind {
  port,    ///< between a host and its network
  uplink,  ///< out of a cluster or group of clusters (Level::uplink)
  distant  ///< between two clusters (Link)
};
constexpr std::size_t link_kinds = 3;
/// "port", "uplink", "distant".
std::string_view name(LinkKind kind);

/// A link and what a total exchange puts on it in one direction, that which carries more.
struct SharedLink {
  LinkKind kind = LinkKind::port;
  std::string name;         ///< of the host, of the level, of the two clusters: "c1 - c2"
  BytesPerSecond rate = 0;  ///< of all messages together in one direction
  std::int64_t blocks = 0;  ///< of equal exchanges ordered pairs of ranks whose blocks cross it; else elements
  bool operator==(const SharedLink&) const = default;
};

/// The shared links of a platform that a total exchange among those ranks uses, and whose rate is known: ports by host,
/// uplinks from the outside in, then links between clusters. Of k ranks out of n behind a port or uplink, k (n - k)
/// blocks leave and as many come; k_a k_b go from cluster a to b.
///
/// The rate of a link between clusters is what several messages were measured to get together, Link::total. Where that
/// was not measured nothing is known to be shared: then every host of the smaller of the two has a message's rate.
std::vector<SharedLink> shared_links(const Platform& platform, std::span<const Rank> participants);

/// The same where rows.count(i) * columns.count(j) elements go from participants[i] to participants[j] (as in
/// Exchange::product).
std::vector<SharedLink> shared_links(const Platform& platform, std::span<const Rank> participants, const Blocks& rows,
                                     const Blocks& columns);

/// How long the busiest link of each kind is busy, by LinkKind, with blocks of so many bytes; 0 where there is none.
using LinkLoads = std::array<Picoseconds, link_kinds>;
LinkLoads loads(std::span<const SharedLink> links, Bytes bytes);

}  // namespace tombolo
