#pragma once

#include <complex>
#include <concepts>
#include <functional>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include <fmt/format.h>
#include <mpi.h>

#include <tombolo/collectives.hpp>
#include <tombolo/collectives/mpi/run_platform.hpp>
#include <tombolo/framework/arrays/product/product_division.hpp>
#include <tombolo/framework/mpi/arrays/prepared_product.hpp>
#include <tombolo/session.hpp>

namespace tombolo {

/// The kernel of a product.
template <Element T>
constexpr const char* name_of_gemm = std::is_same_v<T, float>                 ? "sgemm"
                                     : std::is_same_v<T, double>              ? "dgemm"
                                     : std::is_same_v<T, std::complex<float>> ? "cgemm"
                                                                              : "zgemm";

/// A factor alpha or beta, in words that are compared among ranks.
template <Element T>
std::string in_words(T number) {
  if constexpr (std::floating_point<T>) {
    return fmt::format("{}", number);
  } else {
    return fmt::format("({}, {})", number.real(), number.imag());
  }
}

/// Returns what a division of `product` takes of ranks with these speeds at gemm, whose planner is made. Local.
ProductRanks product_ranks(const RunPlatform& machines, std::span<const SpeedFunction> speeds,
                           const GemmShape& product);

/// Where products are computed: in a session, or on ranks that have none.
struct ProductPlace {
  Collectives& collectives;
  MPI_Comm communicator;  ///< of the same ranks; keeps prepared products and their memory until it is freed
  std::function<ProductRanks(const GemmShape&)> ranks;  ///< for a product that is not prepared yet; collective
  std::vector<int> threads = {};                        ///< of each rank: with others, products are prepared anew
  Session* session = nullptr;                           ///< computes, if not null
};

/// Memory of this rank.
template <Element T>
struct ProductMemory {
  HeldFactor<T> a = {};
  HeldFactor<T> b = {};
  T* c = nullptr;
  ProductStrides strides = {};  ///< may differ among ranks
};

/// Computes C = alpha A B + beta C as multiply() (move.hpp). Throws as multiply(), but does not compare the arguments
/// of ranks. Collective over the communicator.
template <Element T>
void multiply_at(const ProductPlace& place, const ProductMatrices& matrices, T alpha, T beta,
                 const ProductMemory<T>& memory);

}  // namespace tombolo
