#pragma once

#include <algorithm>
#include <cstdint>

#include <mpi.h>

namespace tombolo::interpose {

/// Returns true if a buffer of these arguments can be used. Else the native library has to say what is wrong. Local.
bool is_usable(const void* buffer, std::int64_t count, MPI_Datatype type);

/// Returns true if there are counts, none of them negative.
template <class Count>
bool are_usable(const Count* counts, int ranks) {
  return counts != nullptr && std::all_of(counts, counts + ranks, [](Count count) { return count >= 0; });
}

/// The same of the blocks of a v-operation, by rank. Without data any datatype will do: a rank that has none must not
/// pass a call through that others plan.
template <class Count, class Displacement>
bool is_usable(const void* buffer, const Count* counts, const Displacement* places, int ranks, MPI_Datatype type) {
  if (!are_usable(counts, ranks) || buffer == MPI_IN_PLACE) return false;
  const Count most = *std::max_element(counts, counts + ranks);
  return most == 0 || (places != nullptr && is_usable(buffer, most, type));
}

/// Returns true if the native library refuses input and output at the same address: MPICH does. Open MPI takes it as
/// in-place use.
bool refuses_alias(const void* input, const void* output);

/// Returns true if the operation is defined for elements of the type: a user's own, or a predefined one for a type that
/// the standard lists for it (MPI 3.1, section 5.9.2).
bool is_defined_for(MPI_Op op, MPI_Datatype type);

}  // namespace tombolo::interpose
