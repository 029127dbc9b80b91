#pragma once

#include <set>
#include <string>

#include <pugixml.hpp>

#include <tombolo/platform/platform.hpp>

namespace tombolo::simgrid {

/// Names as a description may have them, each given out once.
class Names {
 public:
  /// The name itself where it can be, else one that is like it.
  std::string take(const std::string& wanted);

 private:
  std::set<std::string> taken_;
};

/// A link's element; rate 0: no limit.
struct LinkElement {
  std::string id;
  BytesPerSecond rate = 0;
  Picoseconds latency = 0;
  const char* policy = "SHARED";
};
void add_link(pugi::xml_node& zone, const LinkElement& link);

/// A route's element, for both directions; returned for its links.
pugi::xml_node add_route(pugi::xml_node& zone, const std::string& from, const std::string& to);

/// Names a link in a route; `direction`: UP, DOWN or nullptr.
void pass(pugi::xml_node& route, const std::string& link, const char* direction = nullptr);

/// Adds the zone of a cluster called `id`, whose way out is the router `id`-router. Throws Error for one of more than
/// 512 hosts that are farther from each other than from that router.
void add_cluster_zone(pugi::xml_node& parent, const Platform& platform, const Level& cluster, const std::string& id,
                      const std::string& router);

}  // namespace tombolo::simgrid
