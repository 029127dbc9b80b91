#include <algorithm>
#include <cstddef>
#include <limits>

#include <fmt/format.h>

#include <tombolo/collectives/mpi/native.hpp>
#include <tombolo/platform/mpi/check.hpp>
#include <tombolo/platform/mpi/machine.hpp>

#if MPI_VERSION >= 4
#define TOMBOLO_MPI(call) call##_c
#else
#define TOMBOLO_MPI(call) call
#endif

namespace tombolo {

namespace {

template <class Address>
Address further(Address address, MPI_Aint bytes) {
  if (bytes == 0 || address == MPI_IN_PLACE) return address;
  return static_cast<std::byte*>(const_cast<void*>(static_cast<const void*>(address))) + bytes;
}

// MPI asks for a buffer even where nothing is put into it.
void* some_buffer(void* output) {
  static char nothing;
  return output == nullptr ? &nothing : output;
}

}  // namespace

template <class To>
To NativeCollectives::checked(std::int64_t count) {
  if (count > std::numeric_limits<To>::max()) {
    throw Error(fmt::format("{} elements in a native collective of this MPI", count),
                "use a larger datatype, an MPI 4 library, or --collectives tombolo");
  }
  return static_cast<To>(count);
}

void NativeCollectives::Layout::lay_out(const Blocks& blocks) {
  counts.clear();
  displacements.clear();
  for (int block = 0; block < blocks.size(); ++block) {
    counts.push_back(checked<Count>(blocks.count(block)));
    displacements.push_back(checked<Displacement>(blocks.offset(block)));
  }
}

// Vectors larger than one call may carry here, in several. `call` gets how far into the vectors, in bytes, and how many
// elements.
template <class Call>
void NativeCollectives::in_parts(std::int64_t count, MPI_Datatype type, Call call) {
  const TypeLayout& element = types_.of(type);
  const std::int64_t most = std::max<std::int64_t>(machine::largest_message() / std::max<Bytes>(element.size, 1), 1);
  std::int64_t first = 0;
  do {
    const std::int64_t now = std::min(count - first, most);
    call(first * element.extent, checked<Count>(now));
    first += now;
  } while (first < count);
}

bool NativeCollectives::equal(const Blocks& blocks) const {
  const std::int64_t each = blocks.count(0);
  for (int block = 1; block < blocks.size(); ++block) {
    if (blocks.count(block) != each) return false;
  }
  return true;
}

void NativeCollectives::barrier() {
  check_mpi(MPI_Barrier(communicator()), "MPI_Barrier");
}

void NativeCollectives::bcast(void* buffer, std::int64_t count, MPI_Datatype type, Rank root) {
  in_parts(count, type, [&](MPI_Aint at, Count now) {
    check_mpi(TOMBOLO_MPI(MPI_Bcast)(further(buffer, at), now, type, root, communicator()), "MPI_Bcast");
  });
}

void NativeCollectives::reduce(const void* input, void* output, std::int64_t count, MPI_Datatype type, MPI_Op op,
                               Rank root) {
  in_parts(count, type, [&](MPI_Aint at, Count now) {
    check_mpi(TOMBOLO_MPI(MPI_Reduce)(further(input, at), further(output, at), now, type, op, root, communicator()),
              "MPI_Reduce");
  });
}

void NativeCollectives::allreduce(const void* input, void* output, std::int64_t count, MPI_Datatype type, MPI_Op op) {
  in_parts(count, type, [&](MPI_Aint at, Count now) {
    check_mpi(TOMBOLO_MPI(MPI_Allreduce)(further(input, at), further(output, at), now, type, op, communicator()),
              "MPI_Allreduce");
  });
}

void NativeCollectives::scan(const void* input, void* output, std::int64_t count, MPI_Datatype type, MPI_Op op) {
  in_parts(count, type, [&](MPI_Aint at, Count now) {
    check_mpi(TOMBOLO_MPI(MPI_Scan)(further(input, at), further(output, at), now, type, op, communicator()),
              "MPI_Scan");
  });
}

void NativeCollectives::exscan(const void* input, void* output, std::int64_t count, MPI_Datatype type, MPI_Op op) {
  output = some_buffer(output);
  in_parts(count, type, [&](MPI_Aint at, Count now) {
    check_mpi(TOMBOLO_MPI(MPI_Exscan)(further(input, at), further(output, at), now, type, op, communicator()),
              "MPI_Exscan");
  });
}

// Counts that a rank other than the root may not know, it does not need: MPI reads them at the root only.
void NativeCollectives::scatterv(const void* input, const Blocks& blocks, void* output, MPI_Datatype type, Rank root,
                                 Knowledge) {
  if (rank() == root) out_.lay_out(blocks);
  check_mpi(TOMBOLO_MPI(MPI_Scatterv)(input, out_.counts.data(), out_.displacements.data(), type, output,
                                      checked<Count>(blocks.count(rank())), type, root, communicator()),
            "MPI_Scatterv");
}

void NativeCollectives::gatherv(const void* input, const Blocks& blocks, void* output, MPI_Datatype type, Rank root,
                                Knowledge) {
  if (rank() == root) in_.lay_out(blocks);
  check_mpi(TOMBOLO_MPI(MPI_Gatherv)(input, checked<Count>(blocks.count(rank())), type, output, in_.counts.data(),
                                     in_.displacements.data(), type, root, communicator()),
            "MPI_Gatherv");
}

void NativeCollectives::allgatherv(const void* input, const Blocks& blocks, void* output, MPI_Datatype type) {
  const auto own = checked<Count>(blocks.count(rank()));
  if (equal(blocks)) {
    check_mpi(TOMBOLO_MPI(MPI_Allgather)(input, own, type, output, own, type, communicator()), "MPI_Allgather");
    return;
  }
  in_.lay_out(blocks);
  check_mpi(TOMBOLO_MPI(MPI_Allgatherv)(input, own, type, output, in_.counts.data(), in_.displacements.data(), type,
                                        communicator()),
            "MPI_Allgatherv");
}

void NativeCollectives::reduce_scatter(const void* input, void* output, const Blocks& blocks, MPI_Datatype type,
                                       MPI_Op op) {
  output = some_buffer(output);
  if (equal(blocks)) {
    const auto each = checked<Count>(blocks.count(0));
    check_mpi(TOMBOLO_MPI(MPI_Reduce_scatter_block)(input, output, each, type, op, communicator()),
              "MPI_Reduce_scatter_block");
    return;
  }
  in_.lay_out(blocks);
  check_mpi(TOMBOLO_MPI(MPI_Reduce_scatter)(input, output, in_.counts.data(), type, op, communicator()),
            "MPI_Reduce_scatter");
}

void NativeCollectives::alltoallv(const void* input, const Blocks& sends, void* output, const Blocks& receives,
                                  MPI_Datatype type) {
  out_.lay_out(sends);
  in_.lay_out(receives);
  check_mpi(TOMBOLO_MPI(MPI_Alltoallv)(input, out_.counts.data(), out_.displacements.data(), type, output,
                                       in_.counts.data(), in_.displacements.data(), type, communicator()),
            "MPI_Alltoallv");
}

void NativeCollectives::alltoallv(const void* input, const Exchange& exchange, void* output, MPI_Datatype type) {
  if (exchange.is_equal()) {
    const auto each = checked<Count>(exchange.sends(rank()).count(0));
    check_mpi(TOMBOLO_MPI(MPI_Alltoall)(input, each, type, output, each, type, communicator()), "MPI_Alltoall");
    return;
  }
  alltoallv(input, exchange.sends(rank()), output, exchange.receives(rank()), type);
}

}  // namespace tombolo
