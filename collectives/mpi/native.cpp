#include <algorithm>
#include <array>
#include <cstddef>
#include <limits>

#include <fmt/format.h>

#include <tombolo/collectives/mpi/datatype.hpp>
#include <tombolo/collectives/mpi/native.hpp>
#include <tombolo/collectives/request/operation.hpp>
#include <tombolo/collectives/request/request.hpp>
#include <tombolo/platform/mpi/check.hpp>
#include <tombolo/units.hpp>

// Makes a call, with 64-bit counts where MPI has them; throws Error with its name.
#if MPI_VERSION >= 4
#define TOMBOLO_MPI(call, ...) check_mpi(call##_c(__VA_ARGS__), #call)
#else
#define TOMBOLO_MPI(call, ...) check_mpi(call(__VA_ARGS__), #call)
#endif

namespace tombolo {

namespace {

template <class Address>
Address further(Address address, MPI_Aint bytes) {
  if (bytes == 0 || address == MPI_IN_PLACE || address == nullptr) return address;
  return static_cast<std::byte*>(const_cast<void*>(static_cast<const void*>(address))) + bytes;
}

// MPI_Reduce of MPICH before 4.1.3 crashes where a root other than rank 0 has its vector in place
// (github.com/pmodels/mpich/issues/6540), and loses ranks (reduce_loses_ranks()).
#if defined(MPICH_NUMVERSION) && MPICH_NUMVERSION < 40103300
constexpr bool reduce_is_defective = true;
#else
constexpr bool reduce_is_defective = false;
#endif

// MPI requires a buffer even if the output is empty.
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

// Splits vectors beyond the limit of one call. `part` gets the addresses of input and output, and the number of
// elements.
template <class Part>
void NativeCollectives::in_parts(const Call& call, Part part) {
  const TypeLayout& element = layout(call.type);
  const std::int64_t most = most_in_message(call.type);
  const std::int64_t count = call.request.count;
  std::int64_t first = 0;
  do {
    const std::int64_t now = std::min(count - first, most);
    const MPI_Aint at = first * element.extent;
    part(further(call.input_or_in_place(), at), further(call.output, at), checked<Count>(now));
    first += now;
  } while (first < count);
}

template <>
void NativeCollectives::native<Operation::barrier>(const Call&) {
  check_mpi(MPI_Barrier(communicator()), "MPI_Barrier");
}

template <>
void NativeCollectives::native<Operation::bcast>(const Call& c) {
  in_parts(c, [&](const void*, void* output, Count now) {
    TOMBOLO_MPI(MPI_Bcast, output, now, c.type, c.request.root, communicator());
  });
}

bool NativeCollectives::reduce_loses_ranks() {
  if (!reduce_loses_ranks_) {
    MPI_Comm of_host = MPI_COMM_NULL;
    check_mpi(MPI_Comm_split_type(communicator(), MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &of_host),
              "MPI_Comm_split_type");
    int here = 0;
    check_mpi(MPI_Comm_size(of_host, &here), "MPI_Comm_size");
    check_mpi(MPI_Comm_free(&of_host), "MPI_Comm_free");
    std::array<int, 2> most = {here, rank() == 0 ? here : 0};  // of any host, of the host of rank 0
    check_mpi(MPI_Allreduce(MPI_IN_PLACE, most.data(), 2, MPI_INT, MPI_MAX, communicator()), "MPI_Allreduce");
    reduce_loses_ranks_ = most[0] > 1 && most[1] == 1;
  }
  return *reduce_loses_ranks_;
}

template <>
void NativeCollectives::native<Operation::reduce>(const Call& c) {
  const bool beside = reduce_is_defective && reduce_loses_ranks();
  std::vector<std::byte> copy;
  in_parts(c, [&](const void* input, void* output, Count now) {
    if (beside) {
      MPI_Request request = MPI_REQUEST_NULL;
      TOMBOLO_MPI(MPI_Ireduce, input, output, now, c.type, c.op, c.request.root, communicator(), &request);
      check_mpi(MPI_Wait(&request, MPI_STATUS_IGNORE), "MPI_Wait");
      return;
    }
    if (reduce_is_defective && input == MPI_IN_PLACE && c.request.root != 0 && now > 0) {
      const TypeLayout& element = layout(c.type);
      const auto* data = static_cast<const std::byte*>(output) + element.true_lower;
      copy.assign(data, data + element.extent * (now - 1) + element.true_extent);
      input = copy.data() - element.true_lower;
    }
    TOMBOLO_MPI(MPI_Reduce, input, output, now, c.type, c.op, c.request.root, communicator());
  });
}

template <>
void NativeCollectives::native<Operation::allreduce>(const Call& c) {
  in_parts(c, [&](const void* input, void* output, Count now) {
    TOMBOLO_MPI(MPI_Allreduce, input, output, now, c.type, c.op, communicator());
  });
}

template <>
void NativeCollectives::native<Operation::scan>(const Call& c) {
  in_parts(c, [&](const void* input, void* output, Count now) {
    TOMBOLO_MPI(MPI_Scan, input, output, now, c.type, c.op, communicator());
  });
}

template <>
void NativeCollectives::native<Operation::exscan>(const Call& c) {
  Call call = c;
  call.output = some_buffer(c.output);
  in_parts(call, [&](const void* input, void* output, Count now) {
    TOMBOLO_MPI(MPI_Exscan, input, output, now, c.type, c.op, communicator());
  });
}

// Only the root needs all counts: MPI reads the counts at the root only.
template <>
void NativeCollectives::native<Operation::scatterv>(const Call& c) {
  const Blocks& blocks = c.request.blocks;
  if (rank() == c.request.root) out_.lay_out(blocks);
  TOMBOLO_MPI(MPI_Scatterv, c.input, out_.counts.data(), out_.displacements.data(), c.type,
              c.in_place ? MPI_IN_PLACE : c.output, checked<Count>(blocks.count(rank())), c.type, c.request.root,
              communicator());
}

template <>
void NativeCollectives::native<Operation::gatherv>(const Call& c) {
  const Blocks& blocks = c.request.blocks;
  if (rank() == c.request.root) in_.lay_out(blocks);
  TOMBOLO_MPI(MPI_Gatherv, c.input_or_in_place(), checked<Count>(blocks.count(rank())), c.type, c.output,
              in_.counts.data(), in_.displacements.data(), c.type, c.request.root, communicator());
}

template <>
void NativeCollectives::native<Operation::allgatherv>(const Call& c) {
  const Blocks& blocks = c.request.blocks;
  const auto own = checked<Count>(blocks.count(rank()));
  if (blocks.all_equal()) {
    TOMBOLO_MPI(MPI_Allgather, c.input_or_in_place(), own, c.type, c.output, own, c.type, communicator());
    return;
  }
  in_.lay_out(blocks);
  TOMBOLO_MPI(MPI_Allgatherv, c.input_or_in_place(), own, c.type, c.output, in_.counts.data(), in_.displacements.data(),
              c.type, communicator());
}

template <>
void NativeCollectives::native<Operation::reduce_scatter>(const Call& c) {
  const Blocks& blocks = c.request.blocks;
  void* const output = some_buffer(c.output);
  if (blocks.all_equal()) {
    const auto each = checked<Count>(blocks.count(0));
    TOMBOLO_MPI(MPI_Reduce_scatter_block, c.input_or_in_place(), output, each, c.type, c.op, communicator());
    return;
  }
  in_.lay_out(blocks);
  TOMBOLO_MPI(MPI_Reduce_scatter, c.input_or_in_place(), output, in_.counts.data(), c.type, c.op, communicator());
}

template <>
void NativeCollectives::native<Operation::alltoallv>(const Call& c) {
  const AlltoallCounts& exchange = c.request.exchange;
  if (c.request.knowledge == Knowledge::everywhere && exchange.is_equal()) {
    const auto each = checked<Count>(exchange.sends(rank()).count(0));
    TOMBOLO_MPI(MPI_Alltoall, c.input, each, c.type, c.output, each, c.type, communicator());
    return;
  }
  out_.lay_out(exchange.sends(rank()));
  in_.lay_out(exchange.receives(rank()));
  TOMBOLO_MPI(MPI_Alltoallv, c.input, out_.counts.data(), out_.displacements.data(), c.type, c.output,
              in_.counts.data(), in_.displacements.data(), c.type, communicator());
}

void NativeCollectives::carry_out(const Request& request, const void* input, void* output, MPI_Datatype type,
                                  MPI_Op op) {
#define TOMBOLO_OPERATION(name, ...) &NativeCollectives::native<Operation::name>,
  static constexpr auto table = std::to_array<void (NativeCollectives::*)(const Call&)>({
#include <tombolo/collectives/request/operations.def>
  });
#undef TOMBOLO_OPERATION
  const bool in_place = request.in_place && (!is_rooted(request.operation) || rank() == request.root);
  (this->*table[static_cast<std::size_t>(request.operation)])({request, input, output, type, op, in_place});
}

}  // namespace tombolo
