#pragma once

#include <string>
#include <vector>

#include <tombolo/framework/program/declare/division.hpp>

namespace tombolo {

/// Choices for a run of a program: members, divisions of domains, and overlap of independent actions. Members are
/// numbered by their position in `members`.
struct Arrangement {
  std::vector<Rank> members;        ///< ranks of the session, ascending
  std::vector<Division> divisions;  ///< of each domain
  bool overlaps = false;  ///< overlap of collectives with computation; also set if a domain has several panels
  std::string how;        ///< "speed, 14 of 16 ranks, 4 panels"

  int ranks() const { return static_cast<int>(members.size()); }
  /// Returns the member number of a rank of the session; -1 if the rank is no member.
  Rank member(Rank of_session) const;
  const Division& division(int slices) const { return divisions[static_cast<std::size_t>(slices)]; }
  bool operator==(const Arrangement&) const = default;
};

/// Unit of execution: a task, its part in one panel, or its part on inner or border rows, by the distance to the rows
/// of other ranks.
struct Action {
  enum class Portion { all, inner, border };
  int task = 0;
  int panel = 0;
  Portion portion = Portion::all;
  std::vector<int> after = {};  ///< numbers of the actions that must complete before
};

/// Returns the actions of the tasks [first, end) in an order that suits all ranks: actions depend on earlier ones only.
std::vector<Action> actions_of(const Declaration& program, const Arrangement& arrangement, int first, int end);

/// Returns the items of an action on one member: one range, or two at the borders.
std::vector<Slice> slices_of(const Declaration& program, const Arrangement& arrangement, const Action& action,
                             Rank member);

/// True if a domain can be cut into panels: no loop, no halo and no farm uses the domain.
bool can_be_panels(const Declaration& program, int slices);

}  // namespace tombolo
