#pragma once

#include <cstdint>
#include <vector>

#include <tombolo/platform/units.hpp>

namespace tombolo {

constexpr Rank nobody = -1;

/// Direction of data in a tree: down from parents to children (broadcast), up from children to parents (reduction).
enum class Direction { down, up };

/// Neighbours of one rank in one tree. Children are in the order of sends (down) or of combination (up).
struct Role {
  Rank parent = nobody;  ///< at the root
  std::vector<Rank> children{};
  bool operator==(const Role&) const = default;
};

}  // namespace tombolo
