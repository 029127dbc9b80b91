#pragma once

#include <functional>
#include <span>
#include <vector>

#include <mpi.h>

#include <tombolo/matrix.hpp>
#include <tombolo/move.hpp>
#include <tombolo/platform.hpp>

namespace tombolo {

/// Where a product is computed: in a session, or on ranks that have none.
struct ProductPlace {
  Collectives& collectives;
  MPI_Comm communicator;                                          ///< of the same ranks, for agreement
  std::function<std::vector<Part>(const GemmShape&)> parts_of_c;  ///< by rank; the same on all ranks
  Session* session = nullptr;                                     ///< allocates and computes, if not null
};

/// Computes C = alpha A B + beta C as multiply() (move.hpp). Collective over the communicator.
template <class T>
void multiply_at(const ProductPlace& place, T alpha, const Factor<T>& a, const Factor<T>& b, T beta,
                 const Distribution& distribution_c, T* c);

/// Returns the part of C that each rank computes at speeds at gemm, with several clusters inside the part of its
/// cluster.
std::vector<Part> parts_by_speed(const GemmShape& shape, std::span<const FlopsPerSecond> speeds, const Level& top);

}  // namespace tombolo
