#pragma once

// The machines of a run: processors, hosts, levels, links.

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <tombolo/units.hpp>

namespace tombolo {

/// A measured value with its error, in the unit of the quantity (picoseconds, bytes per second).
struct Measured {
  std::int64_t value = 0;
  std::int64_t error = 0;  ///< half the width of its 95 % confidence interval; 0 if the value was stated or is exact
  bool operator==(const Measured&) const = default;
};

/// The position of a rank in its host: by kind, the object, numbered within the host, that contains all hardware
/// threads the rank may use; -1 if the rank may use several. Ranks of a host share the objects with equal numbers.
struct Place {
  int package = -1;
  int numa = -1;   ///< memory node
  int cache = -1;  ///< last-level cache
  int core = -1;
  bool operator==(const Place&) const = default;
};

/// The speed of the compute kernel, C = A B, for square matrices of this size.
struct SpeedPoint {
  std::int64_t size = 0;
  FlopsPerSecond speed = 0;
  bool operator==(const SpeedPoint&) const = default;
};

/// The processor of one rank.
struct Processor {
  std::string host;
  std::string model;      ///< "AMD EPYC 9454"
  int cores = 1;          ///< available to this rank, together with ranks_sharing - 1 others
  int ranks_sharing = 1;  ///< ranks of the host that may use the same cores, this one included
  int ranks_on_host = 1;
  int threads = 1;           ///< of BLAS on this rank
  FlopsPerSecond speed = 0;  ///< of the compute kernel, measured on all ranks at once; 0 if not measured
  Place place = {};
  Picoseconds send_overhead = 0;        ///< processor time to send a small message (LogP's o)
  Picoseconds receive_overhead = 0;     ///< processor time to receive a small message
  std::vector<SpeedPoint> speeds = {};  ///< by problem size, sizes ascending; a functional speed model
  bool operator==(const Processor&) const = default;
};

/// A group of ranks that are near to each other, and the groups inside it. The outermost level is the whole platform.
///
/// From the outside in: groups of clusters, to any depth; logical clusters, whose children are hosts; hosts; in a host
/// of several ranks, the packages, memory nodes and caches that some of its ranks share; ranks. A level with a single
/// child is left out, except clusters of one host and hosts of one rank. A platform of one cluster is that cluster.
struct Level {
  /// The resource that the members share, from the outermost kind inwards.
  enum class Kind { group, cluster, host, package, numa, cache, core, rank };

  Kind kind = Kind::cluster;
  std::string name;
  std::vector<Rank> ranks;      ///< ascending
  std::vector<Level> children;  ///< in the order of their first ranks; empty for a rank and for a host of one rank

  /// Latency between ranks of different children, beyond the latencies of their hosts; from a cluster inwards.
  Measured latency = {};
  /// Rate of one message between ranks of different children, in B/s, 0 if not measured; from a host inwards.
  Measured rate = {};
  /// Total rate of all messages that leave a group or cluster, in B/s, if less than its hosts could send; 0 if no such
  /// limit was found.
  Measured uplink = {};
  /// Total rate of all messages that leave or enter a child of a group or cluster (in a cluster: all messages of its
  /// hosts), both ways, in B/s, if less than the hosts could send; 0 if no such limit was found.
  Measured backbone = {};

  bool operator==(const Level&) const = default;
};

/// The names of the kinds of levels, in the order of Level::Kind.
constexpr std::array<std::string_view, 8> level_kind_names = {"group", "cluster", "host", "package",
                                                              "numa",  "cache",   "core", "rank"};

constexpr std::string_view name_of(Level::Kind kind) {
  return level_kind_names[static_cast<std::size_t>(kind)];
}

/// The level's kind and name, for messages: cluster "c21".
std::string described(const Level& level);

/// A host's contribution to every message to and from another host.
struct Host {
  std::string name;
  Measured latency = {};  ///< the host's part of the latency; ps
  Measured rate = {};     ///< maximum rate of one message to or from the host; B/s, 0 if not measured
  Measured memory = {};   ///< rate of copies in its memory; B/s, 0 if not measured
  // As measured with all ranks at work, the first two where these outnumber cores; 0 if not measured:
  Measured wake_up = {};   ///< delay of a message to a rank that waits; ps
  Measured message = {};   ///< processor time of an empty message inside the host, at both ends together; ps
  Measured exchange = {};  ///< total rate of large messages inside the host; B/s
  bool operator==(const Host&) const = default;
};

/// The link between the hosts of two logical clusters.
struct Link {
  int a = 0;  ///< the two clusters, a < b, numbered as by clusters()
  int b = 0;
  Measured latency = {};  ///< latency beyond the latencies of the two hosts; ps
  Measured rate = {};     ///< rate of one message; B/s, 0 if not measured
  Measured total = {};    ///< total rate of `flows` concurrent messages between different hosts; B/s, 0 if not measured
  int flows = 0;
  bool operator==(const Link&) const = default;
};

/// A line that messages between several pairs of clusters share, beside the uplinks of groups.
struct SharedLine {
  /// The pairs, clusters numbered as by clusters(): messages from the first to the second of each go one way, those
  /// back the other way.
  std::vector<std::pair<int, int>> pairs;
  Measured rate = {};  ///< total of all messages one way; B/s
  bool operator==(const SharedLine&) const = default;
};

/// The origin of a platform.
struct Origin {
  std::string source;  ///< "discovered", "SimGrid XML grid5000.xml"
  std::string mpi;     ///< library and version; empty if none was used
  bool simulated = false;
  double seconds = 0;                     ///< duration of the discovery
  std::int64_t messages = 0;              ///< messages sent by the discovery
  std::vector<std::string> not_measured;  ///< omitted measurements, for people
  bool operator==(const Origin&) const = default;
};

/// A description of the machines: the hierarchy of the ranks, the speed of every processor and link, and the shared
/// links. Identical on all ranks, bit for bit.
struct Platform {
  std::vector<Processor> processors;  ///< by rank
  std::vector<Host> hosts;            ///< in the order of their first ranks; names are unique
  Level levels;
  std::vector<Link> links;  ///< every pair of clusters once: (0,1), (0,2), ..., (1,2), ...
  std::vector<SharedLine> lines;
  Origin origin;
  /// Sections of a platform file that belong to other layers, each as JSON text; kept unchanged.
  std::map<std::string, std::string> sections;

  int ranks() const { return static_cast<int>(processors.size()); }
  bool operator==(const Platform&) const = default;
};

/// Returns the host name of each rank.
std::vector<std::string> hosts_by_rank(const Platform& platform);

/// Returns the logical clusters of a platform in depth-first order; the index is the cluster's number.
std::vector<const Level*> clusters(const Level& levels);

/// The line by its pairs of clusters, for messages: the line of c21 - c22 and 3 more pairs. `clusters`: as by
/// clusters().
std::string described(const SharedLine& line, const std::vector<const Level*>& clusters);

/// Returns the index in Platform::links of the link between clusters a and b, a != b, for the given number of clusters.
std::size_t link_index(int a, int b, int clusters);

}  // namespace tombolo
