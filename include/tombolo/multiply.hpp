#pragma once

// Products of distributed matrices.

#include <type_traits>

#include <tombolo/collectives.hpp>
#include <tombolo/matrix.hpp>

namespace tombolo {

class Session;

/// A matrix of a product, in the memory of the ranks: elements[0, distribution.elements(rank)).
template <class T>
struct Factor {
  Distribution distribution;
  const T* elements = nullptr;
  bool transposed = false;  ///< the product is of its transpose
};

/// Computes C = alpha A B + beta C, where A or B may be the transpose of what is in memory (docs/products.md). A is m x
/// k, B k x n, C m x n; any of them may be 0, and any distribution will do, also one where ranks have nothing. A
/// replicated C gets the same elements everywhere. C is not read if beta is 0, A and B not if alpha is 0. C must not
/// overlap A or B.
///
/// Each rank computes a rectangle of C, as large as its speed says (speeds_of(), which the first call may measure),
/// from copies of its h rows of A and w columns of B: (h + w) k elements of memory, and h w +
/// distribution_c.elements(rank) for the result. For T = float or double.
///
/// Throws AgreedError if the memory does not suffice, and as speeds_of(); Error, on all ranks alike, for matrices of
/// other sizes than a product has, distributions on another number of ranks, or A or B where an element is in no part.
/// Collective over the session: all ranks pass the same distributions and numbers, and collectives on all ranks.
///
///     multiply(session, *collectives, 1.0, {rows_of_a, a.data()}, {columns_of_b, b.data()}, 0.0, rows_of_c, c.data());
template <class T>
void multiply(Session& session, Collectives& collectives, std::type_identity_t<T> alpha,
              const std::type_identity_t<Factor<T>>& a, const std::type_identity_t<Factor<T>>& b,
              std::type_identity_t<T> beta, const Distribution& distribution_c, T* c);

}  // namespace tombolo
