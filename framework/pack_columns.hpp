#pragma once

#include <cstdint>

#include <tombolo/framework/element_type.hpp>

namespace tombolo {

/// Copies so many columns of rows that begin `stride` elements apart into one piece, row after row, and returns where
/// that ends: so the blocks that several ranks get of the same rows are packed one behind the other.
template <Element T>
T* pack_columns(std::int64_t rows, const T* from, std::int64_t stride, std::int64_t columns, T* to);

}  // namespace tombolo
