#pragma once

#include <map>
#include <optional>
#include <utility>
#include <vector>

#include <tombolo/collectives/mpi/planned.hpp>
#include <tombolo/framework/mpi/program/body.hpp>
#include <tombolo/framework/program/costs.hpp>
#include <tombolo/framework/program/halo_rows.hpp>
#include <tombolo/framework/spending_move.hpp>

namespace tombolo {

/// The collectives that the actions of a program ask for, on one rank: which request, from where to where, what has to
/// be put in order before and after. What can be kept from one pass of a loop to the next is kept.
class Transfers {
 public:
  Transfers(ProgramBody& body, const Arrangement& arrangement, Rank member, Collectives& collectives, Costs& costs,
            Session& session);

  /// Makes its plan, so that no clock counts that.
  void prepare(const Action& action);
  /// Carries an action out. Collective.
  void carry_out(const Action& action);
  /// Begins it; finish() must be called once the call is complete. Planned collectives only.
  Pending begin(const Action& action);
  void finish(const Action& action);
  /// Packs, or unpacks, for a move that spends an array: elements that are moved for that, and the work. The work is to
  /// be done also where there are no elements, as names may change places.
  std::int64_t elements(const Action& action);
  void put_in_order(const Action& action);
  /// Nothing that was kept holds any more: shares have changed.
  void forget() { kept_.clear(); }

 private:
  struct Kept {
    Request request;
    std::optional<Plan> plan;  // where it is not MPI that carries it out
    bool first_panel = true;
    std::optional<Redistribution> moved;
    std::optional<SpendingMove> spending;
    std::vector<HaloRows> given;  // of a halo, in the order of the members
    std::vector<HaloRows> needed;
    Storage<std::byte> sent;
    Storage<std::byte> received;
  };
  Kept& kept(const Action& action);
  std::pair<const void*, void*> buffers(const Action& action, Kept& kept);
  std::pair<const void*, void*> move_buffers(const DeclaredTask& task, Kept& kept) const;
  void pack_halo(const DeclaredTask& task, Kept& kept) const;
  void unpack_halo(const DeclaredTask& task, Kept& kept) const;
  /// What a move takes or puts: the slices of this rank, which are in one piece, else all that it holds.
  std::byte* moved_part(const ArrayMemory& array) const;
  std::byte* row(const ArrayMemory& array, std::int64_t number) const;

  ProgramBody& body_;
  const Arrangement& arrangement_;
  Rank member_;
  Collectives& collectives_;
  Costs& costs_;
  Session& session_;
  std::map<std::pair<int, int>, Kept> kept_;  // by task and panel
};

}  // namespace tombolo
