#pragma once

#include <cstdint>
#include <vector>

#include <tombolo/platform/units.hpp>

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

}  // namespace tombolo
