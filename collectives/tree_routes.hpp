#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include <tombolo/collectives/places.hpp>
#include <tombolo/collectives/role.hpp>
#include <tombolo/collectives/tree.hpp>

namespace tombolo {

/// What one rank has to do with a vector that goes through one or several trees in segments: for each segment, in the
/// order in which it is listed, the role that the rank has in the segment's tree.
struct TreeRoutes {
  struct Leg {
    std::int64_t offset = 0;  ///< elements
    std::int64_t count = 0;
    std::size_t role = 0;
  };
  std::vector<Role> roles;
  std::vector<Leg> legs;
  /// By peer, bytes that must be under way on the link with it beyond what Parameters::window lets.
  std::unordered_map<Rank, Bytes> long_links{};

  /// That in whole segments.
  int further(Rank peer, Bytes segment_bytes) const;
};

/// The role of the rank that takes a place. Upwards, children are in the order of places.
Role role_of(const Tree::Node& node, const Places& places, Direction direction);

/// Those of a vector of request.count elements through one tree. Upwards, children are in the order of places.
TreeRoutes routes_over_tree(const Shape& shape, const Places& places, const Request& request,
                            const Parameters& parameters, Rank rank, Direction direction);

}  // namespace tombolo
