#pragma once

#include <cstdint>
#include <span>
#include <utility>

#include <mpi.h>

#include <tombolo/platform/units.hpp>

namespace tombolo {

/// Elements that lie somewhere in memory.
struct MemoryRange {
  void* address = nullptr;
  std::int64_t count = 0;
};

/// Bytes of data in one element, without gaps.
Bytes size_of(MPI_Datatype type);

/// The most elements that one message, or one call of a collective, may carry here; at least 1.
std::int64_t most_in_message(MPI_Datatype type);

/// A derived datatype, freed when it goes out of scope; MPI keeps it for operations under way.
class Datatype {
 public:
  /// `count` consecutive elements; counts beyond 2^31 - 1, which MPI's int cannot say, included.
  static Datatype contiguous(std::int64_t count, MPI_Datatype element);
  /// Elements at absolute addresses, to be sent from or received into MPI_BOTTOM.
  static Datatype gathered(std::span<const MemoryRange> ranges, MPI_Datatype element);

  Datatype(Datatype&& other) noexcept : type_(std::exchange(other.type_, MPI_DATATYPE_NULL)) {}
  Datatype& operator=(Datatype&&) = delete;
  Datatype(const Datatype&) = delete;
  Datatype& operator=(const Datatype&) = delete;
  ~Datatype();

  operator MPI_Datatype() const { return type_; }

 private:
  explicit Datatype(MPI_Datatype type) : type_(type) {}
  MPI_Datatype type_;
};

}  // namespace tombolo
