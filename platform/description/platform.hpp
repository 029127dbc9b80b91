#pragma once

#include <map>
#include <string>
#include <vector>

#include <tombolo/platform/description/level.hpp>
#include <tombolo/platform/description/processor.hpp>

namespace tombolo {

/// A host's contribution to every message to and from another host.
struct Host {
  std::string name;
  Measured latency = {};  ///< the host's part of the latency; ps
  Measured rate = {};     ///< maximum rate of one message to or from the host; B/s, 0 if not measured
  Measured memory = {};   ///< rate of copies in its memory; B/s, 0 if not measured
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

/// Returns the index in Platform::links of the link between clusters a and b, a != b, for the given number of clusters.
std::size_t link_index(int a, int b, int clusters);

}  // namespace tombolo
