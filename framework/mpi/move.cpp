#include <cstddef>
#include <optional>

#include <fmt/format.h>

#include <tombolo/framework/mpi/move.hpp>
#include <tombolo/platform/error.hpp>
#include <tombolo/platform/mpi/check.hpp>

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

std::size_t bytes(std::int64_t elements, Bytes element) {
  return static_cast<std::size_t>(elements * element);
}

}  // namespace

void move(Collectives& collectives, const Redistribution& moves, Bytes element, MPI_Datatype type, const void* from,
          void* to, ScratchPool& scratch) {
  check(collectives, moves, element, type);
  const Rank rank = collectives.rank();
  const std::optional<Request> request =
      moves.request(rank, element, moves.in_bands() ? Knowledge::as_in_mpi : Knowledge::everywhere);
  const bool unpacks = moves.unpacks(rank);
  auto* const array = static_cast<std::byte*>(to);
  const bool receives_aside = unpacks && request;
  ScratchPool::Lease packing;
  const ScratchPool::Lease receiving =
      receives_aside ? scratch.take(bytes(moves.receives(rank), element)) : ScratchPool::Lease();
  std::byte* const received = receives_aside ? receiving.data() : array;
  const void* sent = from;
  if (moves.packs(rank)) {
    const bool at_once = request->operation == Operation::bcast;
    if (!at_once) packing = scratch.take(bytes(moves.sends(rank), element));
    std::byte* const packed = at_once ? received : packing.data();
    moves.pack(rank, element, static_cast<const std::byte*>(from), packed);
    sent = packed;
  }
  if (request) collectives.run(*request, sent, received, type);
  if (unpacks) moves.unpack(rank, element, static_cast<const std::byte*>(from), received, array);
}

void move(Collectives& collectives, const Redistribution& moves, Bytes element, MPI_Datatype type, const void* from,
          void* to) {
  ScratchPool scratch;
  move(collectives, moves, element, type, from, to, scratch);
}

}  // namespace tombolo
