#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <limits>

#include <tombolo/collectives/mpi/memory.hpp>
#include <tombolo/platform/mpi/check.hpp>

namespace tombolo {

namespace {

// Walks two lists of pieces with as many elements in the longest common ranges.
template <class Visit>
void walk(std::span<const Piece> a, std::span<const Piece> b, Visit visit) {
  std::size_t i = 0;
  std::size_t j = 0;
  Piece left = a.empty() ? Piece{} : a[0];
  Piece right = b.empty() ? Piece{} : b[0];
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
  // MPI's own receive and send calls take both kinds from one pointer; input is never written.
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

std::byte* Scratch::take(std::size_t bytes) {
  if (bytes <= phantom_.size()) return phantom_.data();
  if (bytes > size_) {
    room_.reset();  // not both at a time
    size_ = 0;
    room_ = std::make_unique_for_overwrite<std::byte[]>(bytes);
    size_ = bytes;
  }
  return room_.get();
}

void Memory::place_scratch(std::int64_t elements, Scratch& room) {
  phantom_ = room.phantom();
  if (elements == 0) return;
  // Elements of a negative extent lie one before the other.
  const MPI_Aint before_first = std::min<MPI_Aint>(0, (elements - 1) * type_.extent) + type_.true_lower;
  const MPI_Aint bytes = (elements - 1) * std::abs(type_.extent) + type_.true_extent;
  base_[static_cast<std::size_t>(Buffer::scratch)] = room.take(static_cast<std::size_t>(bytes)) - before_first;
}

bool Memory::is_phantom(const void* address) const {
  return address >= phantom_.data() && address < phantom_.data() + phantom_.size();
}

bool Memory::holds_nothing(std::span<const Piece> pieces, std::int64_t count) const {
  return type_.dense && static_cast<std::size_t>(count * type_.extent) <= phantom_.size() &&
         std::all_of(pieces.begin(), pieces.end(), [this](const Piece& piece) { return is_phantom(address(piece)); });
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

void Memory::copy(std::span<const Piece> from, std::span<const Piece> into, MPI_Comm communicator) const {
  walk(from, into, [&](const Piece& left, const Piece& right, std::int64_t count) {
    copy_range(address(left), address(right), count, communicator);
  });
}

void Memory::reduce(std::span<const Piece> from, std::span<const Piece> into) const {
  walk(from, into, [this](Piece left, Piece right, std::int64_t count) {
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
