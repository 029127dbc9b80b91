#pragma once

#include <string>
#include <vector>

#include <tombolo/framework/program/division.hpp>

namespace tombolo {

/// How a program is to run: who takes part, who gets which items, and whether what is independent overlaps. Ranks of a
/// program are numbered as its members are.
struct Arrangement {
  std::vector<Rank> members;        ///< ranks of the session, ascending
  std::vector<Division> divisions;  ///< of each slices
  bool overlaps = false;            ///< collectives beside computation; also where slices are in several panels
  std::string how;                  ///< "speed, 14 of 16 ranks, 4 panels"

  int ranks() const { return static_cast<int>(members.size()); }
  /// The member that a rank of the session is; -1 where it is none.
  Rank member(Rank of_session) const;
  const Division& division(int slices) const { return divisions[static_cast<std::size_t>(slices)]; }
  bool operator==(const Arrangement&) const = default;
};

/// What is done at a time: a task, or the part of it that is about one panel, or about rows by their nearness to those
/// of other ranks.
struct Action {
  enum class Portion { all, inner, border };
  int task = 0;
  int panel = 0;
  Portion portion = Portion::all;
  std::vector<int> after = {};  ///< actions that have to be complete first, by number
};

/// What becomes of the tasks [first, end), in an order in which all ranks can do it: actions only wait for earlier
/// ones.
std::vector<Action> actions_of(const Declaration& program, const Arrangement& arrangement, int first, int end);

/// The items of an action of one member: one run of them, or the two at its borders.
std::vector<Slice> slices_of(const Declaration& program, const Arrangement& arrangement, const Action& action,
                             Rank member);

/// Whether slices can be cut into panels: nothing in a loop, no halo and no farm is about them.
bool can_be_panels(const Declaration& program, int slices);

}  // namespace tombolo
