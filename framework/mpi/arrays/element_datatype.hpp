#pragma once

#include <mpi.h>

#include <tombolo/framework/element_type.hpp>

namespace tombolo {

/// Returns the MPI datatype of one matrix element.
inline MPI_Datatype mpi_type(ElementType type) {
  switch (type) {
    case ElementType::float32:
      return MPI_FLOAT;
    case ElementType::float64:
      return MPI_DOUBLE;
    case ElementType::complex64:
      return MPI_C_FLOAT_COMPLEX;
    case ElementType::complex128:
      return MPI_C_DOUBLE_COMPLEX;
  }
  return MPI_DATATYPE_NULL;
}

}  // namespace tombolo
