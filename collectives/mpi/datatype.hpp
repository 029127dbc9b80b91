#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include <mpi.h>

#include <tombolo/units.hpp>

namespace tombolo {

/// Consecutive elements at an address.
struct MemoryRange {
  void* address = nullptr;
  std::int64_t count = 0;
};

/// Size of one element in bytes, without gaps.
Bytes size_of(MPI_Datatype type);

/// Returns the most elements of one message, or of one call of a collective, on this machine; at least 1.
std::int64_t most_in_message(MPI_Datatype type);

/// A derived datatype, freed at the end of its scope; MPI keeps it for pending operations.
class Datatype {
 public:
  /// `count` consecutive elements; also counts beyond 2^31 - 1, the limit of MPI's int.
  static Datatype contiguous(std::int64_t count, MPI_Datatype element);
  /// Elements at absolute addresses, for messages from or into MPI_BOTTOM.
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

/// A datatype with its properties for the execution of collectives.
struct TypeLayout {
  MPI_Datatype type = MPI_DATATYPE_NULL;
  Bytes size = 0;  ///< of the data in one element, without gaps
  MPI_Aint extent = 0;
  MPI_Aint true_lower = 0;
  MPI_Aint true_extent = 0;
  int most = 1;        ///< elements in one message, at least 1
  bool dense = false;  ///< no gaps: elements can be copied as bytes
};
TypeLayout type_layout(MPI_Datatype type);

/// Caches the layouts of predefined datatypes, which never change. Derived datatypes may be freed, and their handles
/// reused.
class TypeLayouts {
 public:
  const TypeLayout& of(MPI_Datatype type) {
    for (const TypeLayout& each : named_) {
      if (each.type == type) return each;
    }
    return look_up(type);
  }
  /// True if the layout is one of a predefined datatype, valid until the next of another datatype.
  bool keeps(const TypeLayout& layout) const { return &layout != &derived_; }

 private:
  const TypeLayout& look_up(MPI_Datatype type);

  std::vector<TypeLayout> named_;
  TypeLayout derived_;  // the last one
};

}  // namespace tombolo
