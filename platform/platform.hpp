#pragma once

#include <map>
#include <string>
#include <vector>

#include <tombolo/platform/level.hpp>
#include <tombolo/platform/processor.hpp>

namespace tombolo {

/// A host's own part of every message to and from another host.
struct Host {
  std::string name;
  Measured latency = {};  ///< what it adds to the latency; ps
  Measured rate = {};     ///< the most that one message to or from it gets; B/s, 0 where not measured
  Measured memory = {};   ///< of copies in its memory; B/s, 0 where not measured
  bool operator==(const Host&) const = default;
};

/// Between the hosts of two logical clusters.
struct Link {
  int a = 0;  ///< the two clusters, a < b, as Platform::clusters() numbers them
  int b = 0;
  Measured latency = {};  ///< beyond what the two hosts take themselves; ps
  Measured rate = {};     ///< of one message; B/s, 0 where not measured
  Measured total = {};  ///< of `flows` messages at a time between different hosts, together; B/s, 0 where not measured
  int flows = 0;
  bool operator==(const Link&) const = default;
};

/// How a platform came to be known.
struct Origin {
  std::string source;  ///< "discovered", "SimGrid XML grid5000.xml"
  std::string mpi;     ///< library and version; empty where none was used
  bool simulated = false;
  double seconds = 0;                     ///< that the discovery took
  std::int64_t messages = 0;              ///< that it sent
  std::vector<std::string> not_measured;  ///< what it left out, for people
  bool operator==(const Origin&) const = default;
};

/// What the machines are: who is near whom, how fast every processor and link is, which links are shared. The same on
/// all ranks, bit for bit.
struct Platform {
  std::vector<Processor> processors;  ///< by rank
  std::vector<Host> hosts;            ///< in the order of their first ranks; names are unique
  Level levels;
  std::vector<Link> links;  ///< every pair of clusters once: (0,1), (0,2), ..., (1,2), ...
  Origin origin;
  /// Sections of a platform file that belong to other layers, each as JSON text: kept as they are.
  std::map<std::string, std::string> sections;

  int ranks() const { return static_cast<int>(processors.size()); }
  bool operator==(const Platform&) const = default;
};

/// The name of each rank's host.
std::vector<std::string> hosts_by_rank(const Platform& platform);

/// The logical clusters of a platform, in the order in which a walk through the tree meets them, which numbers them.
std::vector<const Level*> clusters(const Level& levels);

/// The place of the link between clusters a and b, which differ, in Platform::links, for so many clusters.
std::size_t link_index(int a, int b, int clusters);

}  // namespace tombolo
