#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <mutex>
#include <utility>

#include <tombolo/collectives/mpi/datatype.hpp>
#include <tombolo/interpose/buffers.hpp>
#include <tombolo/interpose/devices.hpp>
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

MPI_Comm of_process = MPI_COMM_NULL;
std::mutex moving;  // of one thread at a time, as all messages have one tag

// A message of this process to itself moves data between any two layouts of equal size, of more than 2^31 bytes too,
// where MPI_Pack has no count.
void move(const void* from, std::int64_t from_count, MPI_Datatype from_type, void* into, std::int64_t into_count,
          MPI_Datatype into_type) {
  constexpr int tag = 0;
  const Datatype out = Datatype::contiguous(from_count, from_type);
  const Datatype in = Datatype::contiguous(into_count, into_type);
  const std::lock_guard alone(moving);
  check_mpi(MPI_Sendrecv(from, 1, out, 0, tag, into, 1, in, 0, tag, of_process, MPI_STATUS_IGNORE), "MPI_Sendrecv");
}

}  // namespace

void copy_by(MPI_Comm alone) {
  of_process = alone;
}

bool is_named(MPI_Datatype type) {
  return combiner_of(type) == MPI_COMBINER_NAMED;
}

bool is_communicator(MPI_Comm communicator) {
#ifdef MPICH
  // By the bits of each handle that say of what it is one, then by a call that raises errors on its first argument.
  constexpr unsigned kind = 0x3c000000;
  constexpr unsigned place = 0xc0000000;
  const auto handle = static_cast<unsigned>(communicator);
  int alike = MPI_UNEQUAL;
  return (handle & kind) == (unsigned{MPI_COMM_WORLD} & kind) && (handle & place) != 0 &&
         MPI_Comm_compare(of_process, communicator, &alike) == MPI_SUCCESS;
#else
  return communicator != MPI_COMM_NULL;
#endif
}

bool could_be_sent(const void* buffer, std::int64_t count, MPI_Datatype type) {
  const int number = static_cast<int>(std::min<std::int64_t>(count, std::numeric_limits<int>::max()));
  return MPI_Send(buffer, number, type, MPI_PROC_NULL, 0, of_process) == MPI_SUCCESS;
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

Span span_of(std::int64_t count, MPI_Datatype type) {
  if (count == 0) return {};
  const TypeLayout layout = type_layout(type);
  const MPI_Aint last = (count - 1) * layout.extent;
  return {.first = layout.true_lower + std::min<MPI_Aint>(last, 0), .bytes = layout.true_extent + std::abs(last)};
}

HostElements::HostElements(const Part& part) : part_(part), address_(part.address) {
  if (part.bytes() == 0) return;
  const Span span = span_of(part.count, part.type);
  std::byte* const first = static_cast<std::byte*>(part.address) + span.first;
  if (!is_on_device(first)) return;
  span_ = span;
  copy_ = std::make_unique_for_overwrite<std::byte[]>(static_cast<std::size_t>(span.bytes));
  address_ = copy_.get() - span.first;
  copy(first, std::array{DeviceCopy{.to = copy_.get(), .from = first, .bytes = span.bytes}});
}

void HostElements::write_back() const {
  if (!copy_) return;
  std::byte* const first = static_cast<std::byte*>(part_.address) + span_.first;
  std::vector<DeviceCopy> copies;
  if (is_plain(part_.type)) {
    copies.push_back({.to = first, .from = copy_.get(), .bytes = span_.bytes});
  } else {
    const std::vector<std::byte> set(static_cast<std::size_t>(part_.bytes()), std::byte{1});
    std::vector<std::byte> is_data(static_cast<std::size_t>(span_.bytes));
    move(set.data(), part_.bytes(), MPI_BYTE, is_data.data() - span_.first, part_.count, part_.type);
    for (auto from = is_data.begin(); (from = std::find(from, is_data.end(), std::byte{1})) != is_data.end();) {
      const auto to = std::find(from, is_data.end(), std::byte{0});
      const auto at = from - is_data.begin();
      copies.push_back({.to = first + at, .from = copy_.get() + at, .bytes = to - from});
      from = to;
    }
  }
  copy(first, copies);
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
  if (!plain || is_on_device(data_)) make_copy();
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
  std::vector<DeviceCopy> from_device;
  std::byte* into = copy_.get();
  for (const Part& part : parts_) {
    if (!is_plain(part.type)) {
      move(HostElements(part).address(), part.count, part.type, into, part.bytes(), MPI_BYTE);
    } else if (is_on_device(part.address)) {
      from_device.push_back({.to = into, .from = part.address, .bytes = part.bytes()});
    } else {
      std::memcpy(into, part.address, static_cast<std::size_t>(part.bytes()));
    }
    into += part.bytes();
  }
  if (!from_device.empty()) copy(from_device.front().from, from_device);
}

void PlainBytes::unpack() const {
  if (!copy_) return;
  std::vector<DeviceCopy> to_device;
  const std::byte* from = copy_.get();
  for (const Part& part : parts_) {
    if (!is_plain(part.type)) {
      const HostElements host(part);
      move(from, part.bytes(), MPI_BYTE, host.address(), part.count, part.type);
      host.write_back();
    } else if (is_on_device(part.address)) {
      to_device.push_back({.to = part.address, .from = from, .bytes = part.bytes()});
    } else {
      std::memcpy(part.address, from, static_cast<std::size_t>(part.bytes()));
    }
    from += part.bytes();
  }
  if (!to_device.empty()) copy(to_device.front().to, to_device);
}

}  // namespace tombolo::interpose
