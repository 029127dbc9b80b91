#include <algorithm>
#include <cstddef>
#include <limits>
#include <vector>

#include <fmt/format.h>

#include <tombolo/collectives/mpi/datatype.hpp>
#include <tombolo/collectives/mpi/native.hpp>
#include <tombolo/platform/mpi/check.hpp>

// MPI 4 has forms of all calls with 64-bit counts; before, counts are int.
#if MPI_VERSION >= 4
#define TOMBOLO_MPI(call) call##_c
#else
#define TOMBOLO_MPI(call) call
#endif

namespace tombolo {

namespace {

#if MPI_VERSION >= 4
using Count = MPI_Count;
using Displacement = MPI_Aint;
#else
using Count = int;
using Displacement = int;
#endif

template <class To>
To checked(std::int64_t count) {
  if (count > std::numeric_limits<To>::max()) {
    throw Error(fmt::format("{} elements in a native collective of this MPI", count),
                "use a larger datatype, an MPI 4 library, or --collectives tombolo");
  }
  return static_cast<To>(count);
}

/// Counts and displacements of consecutive blocks, as MPI's v-operations take them. Blocks whose count this rank does
/// not know, it does not need: MPI reads them at the root only.
struct Layout {
  explicit Layout(const Blocks& blocks, bool needed) {
    if (!needed) return;
    for (int block = 0; block < blocks.size(); ++block) {
      counts.push_back(checked<Count>(blocks.count(block)));
      displacements.push_back(checked<Displacement>(blocks.offset(block)));
    }
  }
  std::vector<Count> counts;
  std::vector<Displacement> displacements;
};

}  // namespace

void NativeCollectives::barrier() {
  check_mpi(MPI_Barrier(communicator()), "MPI_Barrier");
}

void NativeCollectives::bcast(void* buffer, std::int64_t count, MPI_Datatype type, Rank root) {
  MPI_Aint lower = 0;
  MPI_Aint extent = 0;
  check_mpi(MPI_Type_get_extent(type, &lower, &extent), "MPI_Type_get_extent");
  const std::int64_t most = most_in_message(type);
  std::int64_t first = 0;
  do {
    void* const from = static_cast<std::byte*>(buffer) + first * extent;
    const std::int64_t now = std::min(count - first, most);
    check_mpi(TOMBOLO_MPI(MPI_Bcast)(from, checked<Count>(now), type, root, communicator()), "MPI_Bcast");
    first += now;
  } while (first < count);
}

void NativeCollectives::reduce(const void* input, void* output, std::int64_t count, MPI_Datatype type, MPI_Op op,
                               Rank root) {
  check_mpi(TOMBOLO_MPI(MPI_Reduce)(input, output, checked<Count>(count), type, op, root, communicator()),
            "MPI_Reduce");
}

void NativeCollectives::scatterv(const void* input, const Blocks& blocks, void* output, MPI_Datatype type, Rank root,
                                 Knowledge) {
  const Layout layout(blocks, rank() == root);
  check_mpi(TOMBOLO_MPI(MPI_Scatterv)(input, layout.counts.data(), layout.displacements.data(), type, output,
                                      checked<Count>(blocks.count(rank())), type, root, communicator()),
            "MPI_Scatterv");
}

void NativeCollectives::gatherv(const void* input, const Blocks& blocks, void* output, MPI_Datatype type, Rank root,
                                Knowledge) {
  const Layout layout(blocks, rank() == root);
  check_mpi(TOMBOLO_MPI(MPI_Gatherv)(input, checked<Count>(blocks.count(rank())), type, output, layout.counts.data(),
                                     layout.displacements.data(), type, root, communicator()),
            "MPI_Gatherv");
}

void NativeCollectives::alltoallv(const void* input, const Blocks& sends, void* output, const Blocks& receives,
                                  MPI_Datatype type) {
  const Layout out(sends, true);
  const Layout in(receives, true);
  check_mpi(TOMBOLO_MPI(MPI_Alltoallv)(input, out.counts.data(), out.displacements.data(), type, output,
                                       in.counts.data(), in.displacements.data(), type, communicator()),
            "MPI_Alltoallv");
}

void NativeCollectives::alltoallv(const void* input, const Exchange& exchange, void* output, MPI_Datatype type) {
  alltoallv(input, exchange.sends(rank()), output, exchange.receives(rank()), type);
}

}  // namespace tombolo
