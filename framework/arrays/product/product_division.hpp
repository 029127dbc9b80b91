#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <tombolo/collectives/request/request.hpp>
#include <tombolo/framework/arrays/product/product_lines.hpp>
#include <tombolo/framework/arrays/redistribution.hpp>
#include <tombolo/matrix.hpp>
#include <tombolo/platform.hpp>
#include <tombolo/shares.hpp>
#include <tombolo/units.hpp>

namespace tombolo {

/// The matrices of a product C = A B as they are held; A or B may be held as its transpose.
struct ProductMatrices {
  Distribution a;
  bool a_transposed = false;
  Distribution b;
  bool b_transposed = false;
  Distribution c;

  /// Throws Error for matrices of other shapes than a product has, or on another number of ranks.
  GemmShape shape(int ranks) const;
  /// Returns a text that differs where distributions differ, for comparison among ranks.
  std::string fingerprint() const;
  bool operator==(const ProductMatrices&) const = default;
};

/// What is known of the ranks of a product.
struct ProductRanks {
  std::vector<FlopsPerSecond> speeds;                        ///< at gemm, by rank
  const Level& levels;                                       ///< clusters of the ranks
  std::function<Picoseconds(const Request&)> time_of_moves;  ///< an estimate
};

/// Returns the speeds of ranks at calls of gemm as within this product.
std::vector<FlopsPerSecond> speeds_within(std::span<const SpeedFunction> functions, const GemmShape& shape);

/// The division of a product among ranks, and its panels.
struct ProductDivision {
  std::vector<ProductLines> lines = {};              ///< by rank
  bool where_held = false;                           ///< each rank computes the elements of C that it holds
  std::vector<std::vector<InnerRange>> panels = {};  ///< of the inner dimension, one after the other
};

/// Returns the division of a product with operations. Two are compared: each rank computes what it holds of C, so that
/// C does not travel; or a rectangle of C as large as its speed says, with several clusters inside the rectangle of its
/// cluster. The second one is taken if it is estimated to take less than 95 % of the time of the first, or if what a
/// rank holds is not the crossing of some rows and columns. The same on all ranks. Throws Error if A or B lack
/// elements.
ProductDivision divide_product(const ProductMatrices& matrices, Bytes element, const ProductRanks& ranks);

/// Returns the time that each rank computes for at these speeds, at least 1 where it computes anything. The same on all
/// ranks.
std::vector<Picoseconds> computing_times(const ProductDivision& division, const GemmShape& shape,
                                         std::span<const FlopsPerSecond> speeds);

/// Returns a division by other speeds than `now` was made by, if its slowest rank computes for 95 % or less of the time
/// that it takes now at these speeds. The same on all ranks.
std::optional<ProductDivision> better_division(const ProductDivision& now, const ProductMatrices& matrices,
                                               Bytes element, const ProductRanks& ranks);

/// Returns true if the slowest rank computes for so long that all ranks can wait for each other at no cost.
bool takes_long(const ProductDivision& division, const GemmShape& shape, const ProductRanks& ranks);

}  // namespace tombolo
