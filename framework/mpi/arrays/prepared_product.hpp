#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include <tombolo/collectives.hpp>
#include <tombolo/collectives/mpi/scratch_pool.hpp>
#include <tombolo/framework/arrays/product/product_division.hpp>
#include <tombolo/framework/matrix/gemm_lines.hpp>
#include <tombolo/framework/mpi/arrays/carry_out.hpp>

namespace tombolo {

/// How this rank has the matrices of a product in memory: 0, block after block, as in every Distribution; else as local
/// arrays with lines so many elements apart (LineStrides).
struct ProductStrides {
  std::int64_t a = 0;
  std::int64_t b = 0;
  std::int64_t c = 0;
  bool operator==(const ProductStrides&) const = default;
};

/// What a rank has of a matrix, as lines of elements: its local array or its only block, or all of its blocks as one
/// line.
struct HeldLines {
  std::int64_t lines = 0;
  std::int64_t width = 0;
  std::int64_t stride = 0;
  bool is_matrix = false;  ///< row by row of the matrix

  HeldLines() = default;
  HeldLines(const Distribution& matrix, Rank rank, std::int64_t stride);
};

/// A matrix in this rank's memory, or the conjugate of it.
template <Element T>
struct HeldFactor {
  const T* elements = nullptr;
  bool conjugated = false;
};

/// One rank's part of a product, divided, to be carried out any number of times.
template <Element T>
class PreparedProduct {
 public:
  PreparedProduct(const ProductMatrices& matrices, const ProductDivision& division, Rank rank,
                  const ProductStrides& strides);

  /// Memory of a run beside the matrices.
  struct Memory {
    ScratchPool::Lease a;  ///< copies for a panel
    ScratchPool::Lease b;
    ScratchPool::Lease packed;
    ScratchPool::Lease arrived;
    ScratchPool::Lease computed;  ///< part of C
    ScratchPool::Lease result;    ///< as C is held
  };
  /// Takes the memory of a run with this beta. Local.
  Memory memory(ScratchPool& scratch, T beta) const;

  /// Calls `work`, which takes so many operations.
  using Compute = std::function<void(double operations, const std::function<void()>& work)>;
  /// Computes C = alpha A B + beta C; alpha is not 0. Throws as the collectives do. Collective.
  void run(Collectives& collectives, const Memory& memory, const Compute& compute, T alpha, const HeldFactor<T>& a,
           const HeldFactor<T>& b, T beta, T* c) const;

 private:
  struct Panel {
    PreparedMove a;
    PreparedMove b;
    std::int64_t depth;
  };
  void put_back(Collectives& collectives, const Memory& memory, const Compute& compute, T beta, T* c) const;

  std::int64_t height_ = 0;
  std::int64_t width_ = 0;
  HeldLines held_;  // of C
  std::vector<Panel> panels_;
  std::optional<PreparedMove> back_;  // from what is computed to C; none if it is computed there
};

}  // namespace tombolo
