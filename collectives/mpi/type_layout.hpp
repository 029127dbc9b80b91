#pragma once

#include <vector>

#include <mpi.h>

#include <tombolo/platform/units.hpp>

namespace tombolo {

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

 private:
  const TypeLayout& look_up(MPI_Datatype type);

  std::vector<TypeLayout> named_;
  TypeLayout derived_;  // the last one
};

}  // namespace tombolo
