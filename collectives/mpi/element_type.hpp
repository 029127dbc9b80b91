#pragma once

#include <vector>

#include <mpi.h>

#include <tombolo/platform/units.hpp>

namespace tombolo {

/// A datatype and what carrying out a collective asks of it again and again.
struct ElementType {
  MPI_Datatype type = MPI_DATATYPE_NULL;
  Bytes size = 0;  ///< of the data in one element, without gaps
  MPI_Aint extent = 0;
  MPI_Aint true_lower = 0;
  MPI_Aint true_extent = 0;
  int most = 1;        ///< elements in one message, at least 1
  bool dense = false;  ///< without gaps: bytes can be copied
};
ElementType element_type(MPI_Datatype type);

/// Remembers those that never change: MPI's own. Others may be freed, and their handles given to new ones.
class ElementTypes {
 public:
  const ElementType& of(MPI_Datatype type) {
    for (const ElementType& each : named_) {
      if (each.type == type) return each;
    }
    return look_up(type);
  }

 private:
  const ElementType& look_up(MPI_Datatype type);

  std::vector<ElementType> named_;
  ElementType derived_;  // the last one
};

}  // namespace tombolo
