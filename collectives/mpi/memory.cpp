#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <limits>

#include <tombolo/collectives/mpi/memory.hpp>
#include <tombolo/platform/mpi/check.hpp>

namespace tombolo {

namespace {

// Visits the longest common ranges of two lists of buffer ranges with equal totals.
template <class Visit>
void walk(std::span<const BufferRange> a, std::span<const BufferRange> b, Visit visit) {
  std::size_t i = 0;
  std::size_t j = 0;
  BufferRange left = a.empty() ? BufferRange{} : a[0];
  BufferRange right = b.empty() ? BufferRange{} : b[0];
  while (i < a.size() && j < b.size()) {
    const std::int64_t count = std::min(left.count, right.count);
    visit(left, right, count);
    left = {left.buffer, left.offset + count, left.count - count};
    right = {right.buffer, right.offset + count, right.count - count};
    if (left.count == 0 && ++i < a.size()) left = a[i];
    if (right.count == 0 && ++j < b.size()) right = b[j];
  }
}

std::byte* bytes(const void* address) {
  // MPI's receive and send calls both take the pointer; input is never written.
  return static_cast<std::byte*>(const_cast<void*>(address));
}

}  // namespace

Memory::Memory(const void* input, void* output, const TypeLayout& type, MPI_Op op) : type_(type), op_(op) {
  base_[static_cast<std::size_t>(Buffer::input)] = bytes(input);
  base_[static_cast<std::size_t>(Buffer::output)] = bytes(output);
}

Memory::Memory(std::span<std::int64_t> counts) : type_(type_layout(MPI_INT64_T)) {
  base_[static_cast<std::size_t>(Buffer::counts)] = bytes(counts.data());
}

ScratchPool::Lease Memory::place_scratch(std::int64_t elements, ScratchPool& pool) {
  phantom_ = pool.phantom();
  if (elements == 0) return {};
  // With a negative extent, elements lie in descending order.
  const MPI_Aint before_first = std::min<MPI_Aint>(0, (elements - 1) * type_.extent) + type_.true_lower;
  const MPI_Aint bytes = (elements - 1) * std::abs(type_.extent) + type_.true_extent;
  ScratchPool::Lease lease = pool.take(static_cast<std::size_t>(bytes));
  base_[static_cast<std::size_t>(Buffer::scratch)] = lease.data() - before_first;
  return lease;
}

bool Memory::is_phantom(const void* address) const {
  return address >= phantom_.data() && address < phantom_.data() + phantom_.size();
}

bool Memory::holds_nothing(std::span<const BufferRange> pieces, std::int64_t count) const {
  return type_.dense && static_cast<std::size_t>(count * type_.extent) <= phantom_.size() &&
         std::ranges::all_of(pieces, [this](const BufferRange& piece) { return is_phantom(address(piece)); });
}

void Memory::copy_range(const void* from, void* into, std::int64_t count, MPI_Comm communicator) const {
  if (is_phantom(from) && is_phantom(into)) return;
  if (type_.dense) {
    std::memcpy(into, from, static_cast<std::size_t>(count * type_.extent));
    return;
  }
  int rank = 0;
  check_mpi(MPI_Comm_rank(communicator, &rank), "MPI_Comm_rank");
  const Datatype all = Datatype::contiguous(count, type());
  check_mpi(MPI_Sendrecv(from, 1, all, rank, 0, into, 1, all, rank, 0, communicator, MPI_STATUS_IGNORE),
            "MPI_Sendrecv");
}

void Memory::copy(std::span<const BufferRange> from, std::span<const BufferRange> into, MPI_Comm communicator) const {
  walk(from, into, [&](const BufferRange& left, const BufferRange& right, std::int64_t count) {
    copy_range(address(left), address(right), count, communicator);
  });
}

void Memory::reduce(std::span<const BufferRange> from, std::span<const BufferRange> into) const {
  walk(from, into, [this](BufferRange left, BufferRange right, std::int64_t count) {
    while (count > 0) {
      const int now = static_cast<int>(std::min<std::int64_t>(count, std::numeric_limits<int>::max()));
      check_mpi(MPI_Reduce_local(address(left), address(right), now, type(), op_), "MPI_Reduce_local");
      left.offset += now;
      right.offset += now;
      count -= now;
    }
  });
}

}  // namespace tombolo
