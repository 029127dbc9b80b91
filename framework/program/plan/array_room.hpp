#pragma once

#include <cstdint>
#include <vector>

#include <tombolo/collectives/choose/planner.hpp>
#include <tombolo/framework/program/declare/arrangement.hpp>

namespace tombolo {

/// Part of an array on one member.
struct HeldPart {
  bool whole = false;         ///< the whole array
  std::int64_t elements = 0;  ///< without the halo
  std::int64_t halo = 0;      ///< elements before the own ones, and as many behind
};
HeldPart held_part(const DeclaredArray& array, const Arrangement& arrangement, Rank member);

/// Memory of an array on one member: bytes of its own, or the memory of another array. The latter is the source of a
/// move that spends it, and this array is its view: the source is not touched after the move, this array is not touched
/// before, and no other move spends either.
struct ArrayRoom {
  static constexpr int none = -1;
  double bytes = 0;  ///< may exceed the memory of any machine
  int shares = none;
};
/// Returns the memory of each array. Both arrays of a move that spends its source get room for the larger one, as their
/// memories are swapped.
std::vector<ArrayRoom> rooms_of(const Declaration& program, const Arrangement& arrangement, Rank member);

/// Returns the bytes of the largest buffer of a move, beside arrays: an element that goes to several ranks is packed
/// for each of them.
double largest_buffer(const Declaration& program, const Arrangement& arrangement, Rank member);

/// Memory in bytes that a member takes during a run, beside its arrays. `planner` is one of the members.
struct RunRoom {
  double buffers = 0;  ///< of all moves, until the end of the run
  double scratch = 0;  ///< of the collective that takes the most, kept for further runs
};
RunRoom room_of_run(const Declaration& program, const Arrangement& arrangement, Planner& planner, Rank member);

}  // namespace tombolo
