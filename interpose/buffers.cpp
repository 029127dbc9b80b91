#include <algorithm>
#include <cstring>
#include <limits>
#include <mutex>
#include <utility>

#include <tombolo/collectives/mpi/datatype.hpp>
#include <tombolo/interpose/buffers.hpp>
#include <tombolo/platform/mpi/check.hpp>

namespace tombolo::interpose {

namespace {

int combiner_of(MPI_Datatype type) {
  int integers = 0;
  int addresses = 0;
  int types = 0;
  int combiner = 0;
  check_mpi(MPI_Type_get_envelope(type, &integers, &addresses, &types, &combiner), "MPI_Type_get_envelope");
  return combiner;
}

// Frees a datatype that MPI_Type_get_contents has returned, unless it is predefined, or Fortran's for a precision.
void release(MPI_Datatype type) {
  const int combiner = combiner_of(type);
  if (combiner != MPI_COMBINER_NAMED && combiner != MPI_COMBINER_F90_REAL && combiner != MPI_COMBINER_F90_COMPLEX &&
      combiner != MPI_COMBINER_F90_INTEGER) {
    MPI_Type_free(&type);
  }
}

bool leaves_no_gap(MPI_Datatype type) {
  MPI_Count lower = 0;
  MPI_Count extent = 0;
  check_mpi(MPI_Type_get_extent_x(type, &lower, &extent), "MPI_Type_get_extent_x");
  return lower == 0 && extent == size_of(type);
}

MPI_Comm alone_ = MPI_COMM_NULL;
std::mutex moving;  // of one thread at a time, as all messages have one tag

// A message of this process to itself moves data between any two layouts of equal size, of more than 2^31 bytes too,
// where MPI_Pack has no count.
void move(const void* from, std::int64_t from_count, MPI_Datatype from_type, void* into, std::int64_t into_count,
          MPI_Datatype into_type) {
  constexpr int tag = 0;
  const Datatype out = Datatype::contiguous(from_count, from_type);
  const Datatype in = Datatype::contiguous(into_count, into_type);
  const std::lock_guard alone(moving);
  check_mpi(MPI_Sendrecv(from, 1, out, 0, tag, into, 1, in, 0, tag, alone_, MPI_STATUS_IGNORE), "MPI_Sendrecv");
}

}  // namespace

void copy_by(MPI_Comm alone) {
  alone_ = alone;
}

bool is_named(MPI_Datatype type) {
  return combiner_of(type) == MPI_COMBINER_NAMED;
}

bool could_be_sent(const void* buffer, std::int64_t count, MPI_Datatype type) {
  const int number = static_cast<int>(std::min<std::int64_t>(count, std::numeric_limits<int>::max()));
  return MPI_Send(buffer, number, type, MPI_PROC_NULL, 0, alone_) == MPI_SUCCESS;
}

Bytes Part::bytes() const {
  return count == 0 ? 0 : count * size_of(type);
}

bool is_plain(MPI_Datatype type) {
  int integers = 0;
  int addresses = 0;
  int types = 0;
  int combiner = 0;
  check_mpi(MPI_Type_get_envelope(type, &integers, &addresses, &types, &combiner), "MPI_Type_get_envelope");
  if (combiner == MPI_COMBINER_NAMED) return leaves_no_gap(type);
  if (combiner != MPI_COMBINER_CONTIGUOUS && combiner != MPI_COMBINER_DUP) return false;
  std::vector<int> numbers(static_cast<std::size_t>(std::max(integers, 1)));
  MPI_Aint no_address = 0;
  MPI_Datatype inner = MPI_DATATYPE_NULL;
  check_mpi(MPI_Type_get_contents(type, integers, 0, 1, numbers.data(), &no_address, &inner), "MPI_Type_get_contents");
  const bool plain = is_plain(inner);
  release(inner);
  return plain;
}

PlainBytes::PlainBytes(std::vector<Part> parts) : parts_(std::move(parts)) {
  std::erase_if(parts_, [](const Part& part) { return part.bytes() == 0; });
  if (parts_.empty()) return;
  data_ = parts_.front().address;
  Bytes total = 0;
  bool plain = true;
  for (const Part& part : parts_) {
    plain = plain && part.address == static_cast<std::byte*>(data_) + total && is_plain(part.type);
    total += part.bytes();
  }
  if (!plain) make_copy();
}

PlainBytes PlainBytes::copied() && {
  if (!copy_ && !parts_.empty()) make_copy();
  return std::move(*this);
}

void PlainBytes::make_copy() {
  Bytes total = 0;
  for (const Part& part : parts_) total += part.bytes();
  copy_ = std::make_unique_for_overwrite<std::byte[]>(static_cast<std::size_t>(total));
  data_ = copy_.get();
}

void PlainBytes::pack() const {
  if (!copy_) return;
  std::byte* into = copy_.get();
  for (const Part& part : parts_) {
    if (is_plain(part.type)) {
      std::memcpy(into, part.address, static_cast<std::size_t>(part.bytes()));
    } else {
      move(part.address, part.count, part.type, into, part.bytes(), MPI_BYTE);
    }
    into += part.bytes();
  }
}

void PlainBytes::unpack() const {
  if (!copy_) return;
  const std::byte* from = copy_.get();
  for (const Part& part : parts_) {
    if (is_plain(part.type)) {
      std::memcpy(part.address, from, static_cast<std::size_t>(part.bytes()));
    } else {
      move(from, part.bytes(), MPI_BYTE, part.address, part.count, part.type);
    }
    from += part.bytes();
  }
}

}  // namespace tombolo::interpose
