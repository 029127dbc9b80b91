#pragma once

#include <cstdint>
#include <vector>

#include <tombolo/collectives/places.hpp>
#include <tombolo/collectives/tree.hpp>

namespace tombolo {

constexpr Rank nobody = -1;

/// Which way a vector goes through a tree: in a broadcast from the parents to the children, in a reduction back.
enum class Direction { down, up };

/// Whom one rank has to do with in one tree. Children are in the order in which they are served, or, upwards, combined.
struct Role {
  Rank parent = nobody;  ///< at the top
  std::vector<Rank> children{};
  bool operator==(const Role&) const = default;
};

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
};

/// Those of a vector of request.count elements through one tree. Upwards, children are in the order of places.
TreeRoutes routes_over_tree(const Shape& shape, const Places& places, const Request& request,
                            const Parameters& parameters, Rank rank, Direction direction);

}  // namespace tombolo
