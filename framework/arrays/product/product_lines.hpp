#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include <tombolo/framework/arrays/product/product_parts.hpp>
#include <tombolo/matrix.hpp>

namespace tombolo {

/// What a rank computes of a product C = A B: the elements where one of its rows and one of its columns of C meet. It
/// needs these rows of A and these columns of B.
struct ProductLines {
  std::vector<InnerRange> rows = {};  ///< ascending, neither empty nor adjacent; none without columns
  std::vector<InnerRange> columns = {};

  std::int64_t height() const;  ///< rows
  std::int64_t width() const;   ///< columns
  bool operator==(const ProductLines&) const = default;
};

/// Returns the lines of rectangles, by rank.
std::vector<ProductLines> lines_of(std::span<const Part> parts);

/// Returns the lines of the parts of each rank, as block-cyclic distributions have; none where a rank has only some of
/// the elements in which its rows and columns meet, or where ranks share elements.
std::optional<std::vector<ProductLines>> lines_of(const Distribution& c);

/// Returns copies of what each rank needs of a panel of A, its rows and the columns of the panel; of B, the rows of the
/// panel and its columns; and what it computes of C. In a RankMove with strides, each is one matrix.
Distribution needed_of_a(const GemmShape& shape, std::span<const ProductLines> lines,
                         std::span<const InnerRange> panel);
Distribution needed_of_b(const GemmShape& shape, std::span<const ProductLines> lines,
                         std::span<const InnerRange> panel);
Distribution computed_of_c(const GemmShape& shape, std::span<const ProductLines> lines);

}  // namespace tombolo
