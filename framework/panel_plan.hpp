#pragma once

#include <cstdint>
#include <vector>

#include <tombolo/framework/matrix_layout.hpp>

namespace tombolo {

/// Panels in which a file is transposed when not all of it fits into memory: rectangles of `high` lines of A and `wide`
/// elements of each, in the order of the file. Every rank reads an equal share of a panel's lines, and writes an equal
/// share of the lines that it becomes, `high` elements of each.
struct PanelPlan {
  std::int64_t high = 0;
  std::int64_t wide = 0;
  std::int64_t room = 0;  ///< elements that a rank takes for each of its two buffers

  bool operator==(const PanelPlan&) const = default;
};

/// Panels of a file of so many lines by width elements such that the shorter of what is read and written in one piece
/// is as long as can be, while each buffer of a rank holds at most `most` elements, at least 1. A matrix without
/// elements has none.
PanelPlan plan_panels(std::int64_t lines, std::int64_t width, int ranks, std::int64_t most);

/// The panels: rows are lines. Those of the same lines of B follow one another.
std::vector<Part> panels_of(const PanelPlan& plan, std::int64_t lines, std::int64_t width);

}  // namespace tombolo
