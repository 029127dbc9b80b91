#include <cstddef>

#include <fmt/format.h>

#include <tombolo/arrays.hpp>
#include <tombolo/framework/matrix/for_elements.hpp>
#include <tombolo/framework/mpi/arrays/carry_out.hpp>
#include <tombolo/move.hpp>
#include <tombolo/platform/mpi/check.hpp>
#include <tombolo/units.hpp>

namespace tombolo {
namespace {

void check(const Collectives& collectives, const Redistribution& moves, Bytes element, MPI_Datatype type) {
  if (moves.ranks() != collectives.ranks()) {
    throw Error(fmt::format("a matrix on {} ranks to be moved among {}", moves.ranks(), collectives.ranks()),
                "give distributions on the ranks of the communicator");
  }
  MPI_Aint lower = 0;
  MPI_Aint extent = 0;
  check_mpi(MPI_Type_get_extent(type, &lower, &extent), "MPI_Type_get_extent");
  if (lower != 0 || extent != element) {
    throw Error(fmt::format("elements of {} bytes in a type of {}", element, extent), "give the type of the elements");
  }
}

}  // namespace

PreparedMove::PreparedMove(const Redistribution& moves, Rank rank, Bytes element, LineStrides strides)
    : element_(element),
      request_(moves.request(rank, element, moves.in_bands() ? Knowledge::as_in_mpi : Knowledge::everywhere)),
      move_(moves, rank, Source::kept, strides) {}

void PreparedMove::run(Collectives& collectives, MPI_Datatype type, const MoveMemory& memory) const {
  if (move_.packs()) move_.pack(element_, memory);
  if (request_) collectives.run(*request_, move_.sent(element_, memory), move_.received(memory), type);
  move_.unpack(element_, memory);
}

void move(Collectives& collectives, const Redistribution& moves, Bytes element, MPI_Datatype type, const void* from,
          void* to, ScratchPool& scratch) {
  check(collectives, moves, element, type);
  const PreparedMove prepared(moves, collectives.rank(), element);
  const ScratchPool::Lease arrived = scratch.take(prepared.arrived_bytes());
  const ScratchPool::Lease packed = scratch.take(prepared.packed_bytes());
  prepared.run(collectives, type,
               {static_cast<std::byte*>(const_cast<void*>(from)),  // only read, as it is kept
                static_cast<std::byte*>(to), packed.data(), arrived.data()});
}

void move(Collectives& collectives, const Redistribution& moves, Bytes element, MPI_Datatype type, const void* from,
          void* to) {
  ScratchPool scratch;
  move(collectives, moves, element, type, from, to, scratch);
}

void move(Collectives& collectives, const Distribution& before, const Distribution& after, Bytes element,
          MPI_Datatype type, const void* from, void* to) {
  move(collectives, Redistribution(before, after), element, type, from, to);
}

void transpose(Collectives& collectives, const Distribution& before, const Distribution& after, Bytes element,
               MPI_Datatype type, const void* from, void* to) {
  move(collectives, Redistribution(before, after, true), element, type, from, to);
}

template <Element T>
void transpose_in_place(Session& session, Collectives& collectives, const InPlaceTranspose& plan, T* buffer,
                        T* workspace, const std::function<void()>& after) {
  constexpr Bytes element = sizeof(T);
  const MPI_Datatype type = mpi_type_of<T>();
  check(collectives, plan.exchange(0), element, type);
  const Rank rank = collectives.rank();
  const auto in_place = [&](bool works, void (InPlaceTranspose::*step)(T*) const) {
    if (works) session.compute(static_cast<double>(plan.b_elements()), [&] { (plan.*step)(buffer); });
    if (after) after();
  };
  for (int sweep = 0; sweep < InPlaceTranspose::sweeps && !plan.stays(); ++sweep) {
    const Redistribution moves = plan.exchange(sweep);
    const auto elements = static_cast<double>(moves.sends(rank));
    const MoveMemory memory{.from = reinterpret_cast<std::byte*>(buffer + plan.sent_at(sweep)),
                            .packed = reinterpret_cast<std::byte*>(workspace)};
    session.compute(elements, [&] { RankMove(moves, rank).pack(element, memory); });
    collectives.run(*moves.request(rank, element, plan.knowledge()), workspace, buffer + plan.arrived_at(sweep), type);
  }
  if (after) after();
  in_place(plan.cut(), &InPlaceTranspose::put_in_order<T>);
  in_place(plan.turned() && plan.b_elements() > 0, &InPlaceTranspose::turn<T>);
}

InPlaceMemory in_place_memory(const Layout& a, const Layout& b, Rank rank) {
  const InPlaceTranspose plan(a, b, rank);
  return {.buffer = plan.room(), .a_at = plan.a_at(), .workspace = plan.workspace()};
}

template <Element T>
void transpose_in_place(Session& session, Collectives& collectives, const Layout& a, const Layout& b, T* buffer,
                        T* workspace) {
  transpose_in_place(session, collectives, InPlaceTranspose(a, b, collectives.rank()), buffer, workspace);
}

#define TOMBOLO_FOR(T)                                                                      \
  template void transpose_in_place(Session&, Collectives&, const InPlaceTranspose&, T*, T*, \
                                   const std::function<void()>&);                           \
  template void transpose_in_place(Session&, Collectives&, const Layout&, const Layout&, T*, T*);
TOMBOLO_FOR_ELEMENTS(TOMBOLO_FOR)
#undef TOMBOLO_FOR

}  // namespace tombolo
