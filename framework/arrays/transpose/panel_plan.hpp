#pragma once

#include <cstdint>
#include <vector>

#include <tombolo/matrix.hpp>

namespace tombolo {

/// The panels of an out-of-core transpose of a file: rectangles of `high` lines of A and `wide` elements of each line,
/// in file order. Every rank reads an equal share of a panel's lines, and writes an equal share of the transposed
/// lines, of `high` elements each.
struct PanelPlan {
  std::int64_t high = 0;
  std::int64_t wide = 0;
  std::int64_t room = 0;  ///< elements of each of a rank's two buffers

  bool operator==(const PanelPlan&) const = default;
};

/// Plans panels for a file of `lines` lines of `width` elements. The shorter of the contiguous reads and writes is as
/// long as possible, with at most `most` elements, at least 1, in each buffer of a rank. A matrix without elements has
/// no panels.
PanelPlan plan_panels(std::int64_t lines, std::int64_t width, int ranks, std::int64_t most);

/// Returns the panels; their rows are lines. Panels with the same lines of B are consecutive.
std::vector<Part> panels_of(const PanelPlan& plan, std::int64_t lines, std::int64_t width);

}  // namespace tombolo
