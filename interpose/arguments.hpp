#pragma once

#include <cstdint>

#include <mpi.h>

namespace tombolo::interpose {

/// Returns true if a buffer of these arguments can be used. Else the native library has to say what is wrong. Local.
bool is_usable(const void* buffer, std::int64_t count, MPI_Datatype type);

/// Returns true if the operation is defined for elements of the type: a user's own, or a predefined one for a type that
/// the standard lists for it (MPI 3.1, section 5.9.2).
bool is_defined_for(MPI_Op op, MPI_Datatype type);

}  // namespace tombolo::interpose
