#pragma once

#include <cstdint>
#include <vector>

#include <tombolo/framework/program/arrangement.hpp>

namespace tombolo {

/// What a member of a program holds of an array.
struct HeldPart {
  bool whole = false;         ///< all of it
  std::int64_t elements = 0;  ///< without the halo
  std::int64_t halo = 0;      ///< elements before them, and as many behind
};
HeldPart held_part(const DeclaredArray& array, const Arrangement& arrangement, Rank member);

/// What a member takes for an array: so many bytes, or the memory of another array that a move spends and this one is a
/// view of; then the other one is not touched any more, this one has not been before, and nothing else spends either.
struct ArrayRoom {
  static constexpr int none = -1;
  double bytes = 0;  ///< of which there may be more than any machine has
  int shares = none;
};
/// Of each array. Where a move spends one, both have room for the larger of them, as their memories change places.
std::vector<ArrayRoom> rooms_of(const Declaration& program, const Arrangement& arrangement, Rank member);

}  // namespace tombolo
