#pragma once

// What each collective call of a program becomes: a request that all ranks make alike, and its buffers. Every function
// has the arguments of its MPI call, with counts and displacements of either width, and what carries the call out
// natively. Returns an MPI error code.

#include <algorithm>
#include <cstdint>
#include <exception>
#include <vector>

#include <mpi.h>

#include <tombolo/collectives.hpp>
#include <tombolo/collectives/mpi/datatype.hpp>
#include <tombolo/interpose/arguments.hpp>
#include <tombolo/interpose/communicator.hpp>
#include <tombolo/interpose/library.hpp>
#include <tombolo/interpose/native.hpp>
#include <tombolo/interpose/pinned.hpp>
#include <tombolo/interpose/sides.hpp>

namespace tombolo::interpose {

/// Ends all ranks where one fails, perhaps alone, as for lack of memory: the others are waiting. What the program's own
/// error handler throws goes on to the program.
template <class Body>
int for_all(Body body) try {
  return body();
} catch (const std::exception& failure) {
  if (Natively::thrown()) throw;
  end_run(failure.what());
}

/// Decides whether a call is one to look at; `plan` then gets the state of its communicator.
template <class Native, class Plan>
int enter(Operation operation, MPI_Comm comm, Native native, Plan plan) {
  const Library& library = Library::get();
  if (!library.active() || Inside::now() || comm == MPI_COMM_NULL) return native();
  const Inside inside;
  return for_all([&] {
    Communicator* const communicator = Communicator::of(comm);
    if (communicator == nullptr) return Communicator::refuse(native);
    if (communicator->ranks() > 0) return plan(*communicator);
    if (!library.settings().report) return native();
    return communicator->pass(operation, communicator->reason(), native);
  });
}

/// Counts a call that always passes through, for the report.
template <class Native>
int pass(Operation operation, Reason reason, MPI_Comm comm, Native native) {
  if (!Library::get().settings().report) return native();
  return enter(operation, comm, native, [&](Communicator& c) { return c.pass(operation, reason, native); });
}

/// Frees a communicator natively. Users' functions that the deletion of attributes calls may call collectives on it:
/// they pass through.
template <class Native>
int free_natively(Native native) {
  const Inside inside;
  return native();
}

inline bool is_root(int root, const Communicator& communicator) {
  return root >= 0 && root < communicator.ranks();
}

template <class Native>
int barrier(MPI_Comm comm, Native native) {
  return enter(Operation::barrier, comm, native, [&](Communicator& c) {
    return c.carry_out(Request::barrier(c.ranks()), native, [] { return CallBuffers{}; });
  });
}

template <class Count, class Native>
int bcast(void* buffer, Count count, MPI_Datatype type, int root, MPI_Comm comm, Native native) {
  return enter(Operation::bcast, comm, native, [&](Communicator& c) {
    if (!is_root(root, c) || !is_usable(buffer, count, type)) {
      return c.pass(Operation::bcast, Reason::arguments, native);
    }
    const Part whole = part(buffer, count, type);
    return c.carry_out(Request::bcast(c.ranks(), root, whole.bytes(), 1), native, [&] {
      const bool mine = c.rank() == root;
      return CallBuffers{.output = PlainBytes({whole}), .fill_output = mine, .drain_output = !mine};
    });
  });
}

/// Reductions keep the user's elements, which their operation is for. Input and output at one address are in-place use
/// where the native library does not refuse them.
template <class Native>
int combine(Communicator& c, const Request& request, const void* input, void* output, MPI_Datatype type, MPI_Op op,
            Native native) {
  const bool in_place = input == MPI_IN_PLACE || (input == output && input != nullptr);
  return c.carry_out(request.with_in_place(in_place), native, [&] {
    return CallBuffers{.plain = false, .raw_input = input, .raw_output = output, .type = type, .op = op};
  });
}

/// Whether input and output of a reduction can be used; `receives`: the output counts on this rank.
inline bool is_usable(const void* input, const void* output, std::int64_t in, std::int64_t out, MPI_Datatype type,
                      MPI_Op op, bool receives, bool may_be_in_place = true) {
  if (!is_defined_for(op, type)) return false;
  const bool in_place = input == MPI_IN_PLACE;
  if (in_place ? !may_be_in_place : !is_usable(input, in, type)) return false;
  if (!receives) return true;
  return is_usable(output, out, type) && (in == 0 || !refuses_alias(input, output));
}

template <class Count, class Native>
int reduce(const void* input, void* output, Count count, MPI_Datatype type, MPI_Op op, int root, MPI_Comm comm,
           Native native) {
  if (pins(comm) && is_defined_for(op, type)) {
    const Pinned<Count> pinned(comm, type, op);
    const bool mine = pinned.rank() == root;
    if (root >= 0 && root < pinned.ranks() && count > 0 &&
        is_usable(input, output, count, count, type, op, mine, mine)) {
      return for_all([&] { return pinned.reduce(input, output, count, root); });
    }
  }
  return enter(Operation::reduce, comm, native, [&](Communicator& c) {
    const bool mine = c.rank() == root;
    if (!is_root(root, c) || !is_usable(input, output, count, count, type, op, mine, mine)) {
      return c.pass(Operation::reduce, Reason::arguments, native);
    }
    const Request request = Request::reduce(c.ranks(), root, count, size_of(type), commutes(op));
    return combine(c, request, input, output, type, op, native);
  });
}

/// allreduce, scan, exscan
template <class Count, class Native>
int combine_everywhere(Operation operation, const void* input, void* output, Count count, MPI_Datatype type, MPI_Op op,
                       MPI_Comm comm, Native native) {
  if (count > 0 && pins(comm) && is_usable(input, output, count, count, type, op, operation != Operation::exscan) &&
      !refuses_alias(input, output)) {
    const Pinned<Count> pinned(comm, type, op);
    return for_all([&] {
      if (operation == Operation::allreduce) return pinned.allreduce(input, output, count);
      return pinned.scan(input, output, count, operation == Operation::scan);
    });
  }
  return enter(operation, comm, native, [&](Communicator& c) {
    // The output of exscan's rank 0 may be anything.
    const bool receives = operation != Operation::exscan || c.rank() > 0;
    if ((!receives && count > 0 && refuses_alias(input, output)) ||
        !is_usable(input, output, count, count, type, op, receives)) {
      return c.pass(operation, Reason::arguments, native);
    }
    const Request request = Request::of_vector(operation, c.ranks(), 0, count, size_of(type)).combining(commutes(op));
    return combine(c, request, input, output, type, op, native);
  });
}

/// reduce_scatter and its form with equal blocks
template <class Native>
int reduce_scatter(const void* input, void* output, const Blocks& blocks, MPI_Datatype type, MPI_Op op, Communicator& c,
                   Native native) {
  const std::int64_t mine = input == MPI_IN_PLACE ? blocks.total() : blocks.count(c.rank());
  if (!is_usable(input, output, blocks.total(), mine, type, op, true)) {
    return c.pass(Operation::reduce_scatter, Reason::arguments, native);
  }
  const Request request = Request::reduce_scatter(blocks, size_of(type), commutes(op));
  return combine(c, request, input, output, type, op, native);
}

template <class Count, class Native>
int reduce_scatter(const void* input, void* output, const Count* counts, MPI_Datatype type, MPI_Op op, MPI_Comm comm,
                   Native native) {
  if (counts != nullptr && pins(comm) && is_usable(input, output, 0, 0, type, op, true)) {
    const Pinned<Count> pinned(comm, type, op);
    const std::vector<Count> all(counts, counts + pinned.ranks());
    if (std::ranges::all_of(all, [](Count count) { return count >= 0; })) {
      return for_all([&] { return pinned.reduce_scatter(input, output, all); });
    }
  }
  return enter(Operation::reduce_scatter, comm, native, [&](Communicator& c) {
    if (!are_usable(counts, c.ranks()) || type == MPI_DATATYPE_NULL) {
      return c.pass(Operation::reduce_scatter, Reason::arguments, native);
    }
    return reduce_scatter(input, output, Blocks(std::vector<std::int64_t>(counts, counts + c.ranks())), type, op, c,
                          native);
  });
}

template <class Count, class Native>
int reduce_scatter_block(const void* input, void* output, Count count, MPI_Datatype type, MPI_Op op, MPI_Comm comm,
                         Native native) {
  if (count > 0 && pins(comm) && is_usable(input, output, count, count, type, op, true)) {
    const Pinned<Count> pinned(comm, type, op);
    const std::vector<Count> all(static_cast<std::size_t>(pinned.ranks()), count);
    return for_all([&] { return pinned.reduce_scatter(input, output, all); });
  }
  return enter(Operation::reduce_scatter, comm, native, [&](Communicator& c) {
    if (count < 0 || type == MPI_DATATYPE_NULL) return c.pass(Operation::reduce_scatter, Reason::arguments, native);
    return reduce_scatter(input, output, Blocks::equal(c.ranks(), count), type, op, c, native);
  });
}

template <class Count, class All, class Native>
int gather(Side<Count> in, All out, int root, MPI_Comm comm, Native native) {
  return enter(Operation::gatherv, comm, native, [&](Communicator& c) {
    const bool mine = c.rank() == root;
    const bool in_place = mine && in.in_place();
    if (!is_root(root, c) || !(in_place || in.usable()) ||
        (mine && (!out.usable(c.ranks()) || out.refuses(in, root)))) {
      return c.pass(Operation::gatherv, Reason::arguments, native);
    }
    const Blocks blocks = out.blocks(c, mine, in_place ? out.bytes() : in.bytes());
    const Request request = Request::gatherv(root, blocks, 1).knowing(All::knowledge);
    return c.carry_out(request.with_in_place(in_place), native, [&] {
      return CallBuffers{.input = in_place ? PlainBytes() : in.plain(1),
                         .output = mine ? out.plain(c.ranks()) : PlainBytes(),
                         .fill_output = in_place};
    });
  });
}

template <class Count, class All, class Native>
int scatter(All in, Side<Count> out, int root, MPI_Comm comm, Native native) {
  return enter(Operation::scatterv, comm, native, [&](Communicator& c) {
    const bool mine = c.rank() == root;
    const bool in_place = mine && out.in_place();
    if (!is_root(root, c) || !(in_place || out.usable()) ||
        (mine && (!in.usable(c.ranks()) || in.refuses(out, root)))) {
      return c.pass(Operation::scatterv, Reason::arguments, native);
    }
    const Blocks blocks = in.blocks(c, mine, mine ? in.bytes() : out.bytes());
    const Request request = Request::scatterv(root, blocks, 1).knowing(All::knowledge);
    return c.carry_out(request.with_in_place(in_place), native, [&] {
      return CallBuffers{.input = mine ? in.plain(c.ranks()) : PlainBytes(),
                         .output = in_place ? PlainBytes() : out.plain(1)};
    });
  });
}

template <class Count, class All, class Native>
int allgather(Side<Count> in, All out, MPI_Comm comm, Native native) {
  return enter(Operation::allgatherv, comm, native, [&](Communicator& c) {
    const bool in_place = in.in_place();
    if (!(in_place || in.usable()) || !out.usable(c.ranks()) || out.refuses(in, c.rank())) {
      return c.pass(Operation::allgatherv, Reason::arguments, native);
    }
    const Request request = Request::allgatherv(out.blocks(c, true, out.bytes()), 1).with_in_place(in_place);
    return c.carry_out(request, native, [&] {
      return CallBuffers{
          .input = in_place ? PlainBytes() : in.plain(1), .output = out.plain(c.ranks()), .fill_output = in_place};
    });
  });
}

template <class Count, class Native>
int alltoall(Side<Count> in, Side<Count> out, MPI_Comm comm, Native native) {
  return enter(Operation::alltoallv, comm, native, [&](Communicator& c) {
    if (!(in.in_place() || in.usable()) || !out.usable() || out.refuses(in, 0)) {
      return c.pass(Operation::alltoallv, Reason::arguments, native);
    }
    const Request request = Request::alltoallv(c.ranks(), AlltoallCounts::equal(c.ranks(), out.bytes()), 1);
    return c.carry_out(request, native, [&] {
      // In place: from a copy, as plans read the input after they have begun to write the output.
      return CallBuffers{.input = in.in_place() ? out.plain(c.ranks()).copied() : in.plain(c.ranks()),
                         .output = out.plain(c.ranks())};
    });
  });
}

/// Each rank knows its own row and column of the counts. In place both are the counts of the output.
template <class Count, class Displacement, class Native>
int alltoallv(BlockedSide<Count, Displacement> in, BlockedSide<Count, Displacement> out, MPI_Comm comm, Native native) {
  return enter(Operation::alltoallv, comm, native, [&](Communicator& c) {
    if (c.passes_exchanges()) return c.pass_exchange(native);
    if (!(in.in_place() || in.usable(c.ranks())) || !out.usable(c.ranks()) || out.refuses(in)) {
      return c.pass(Operation::alltoallv, Reason::arguments, native);
    }
    const BlockedSide<Count, Displacement>& from = in.in_place() ? out : in;
    const AlltoallCounts own = AlltoallCounts::of_rank(c.rank(), from.blocks(c, true, 0), out.blocks(c, true, 0));
    return c.carry_out(Request::alltoallv(c.ranks(), own, 1).knowing(Knowledge::as_in_mpi), native, [&] {
      // In place: from a copy, as in alltoall.
      return CallBuffers{.input = in.in_place() ? out.plain(c.ranks()).copied() : in.plain(c.ranks()),
                         .output = out.plain(c.ranks())};
    });
  });
}

}  // namespace tombolo::interpose
