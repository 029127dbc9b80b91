#include <algorithm>
#include <cmath>

#include <tombolo/framework/arrays/transpose/panel_plan.hpp>

namespace tombolo {

namespace {

std::int64_t share(std::int64_t all, int ranks) {
  return (all + ranks - 1) / ranks;
}

/// Returns the largest number of lines of `width` elements for which both the lines that a rank reads and its part
/// after the exchange fit into `most` elements.
std::int64_t most_lines(std::int64_t width, int ranks, std::int64_t most) {
  return std::min(std::min(most / width, std::int64_t{1} << 40) * ranks, most / share(width, ranks));
}

/// Returns the size of panels as equal as possible, in the least number of panels of at most `most`.
std::int64_t evened(std::int64_t all, std::int64_t most) {
  const std::int64_t panels = (all - 1) / most + 1;
  return (all - 1) / panels + 1;
}

}  // namespace

PanelPlan plan_panels(std::int64_t lines, std::int64_t width, int ranks, std::int64_t most) {
  if (lines == 0 || width == 0) return {};
  // A square that fills the buffers of all ranks, or a higher rectangle if the matrix is narrower.
  const double all = static_cast<double>(most) * ranks;
  const double side = std::max(std::sqrt(all), all / static_cast<double>(width));
  const auto square = static_cast<std::int64_t>(std::min(side, 0x1p60));
  const std::int64_t high = evened(lines, std::clamp<std::int64_t>(square, 1, std::min(lines, most)));
  const std::int64_t wide = evened(width, most_lines(high, ranks, most));  // lines and columns exchange roles
  PanelPlan plan{evened(lines, most_lines(wide, ranks, most)), wide, 0};
  plan.room = std::max(share(plan.high, ranks) * plan.wide, plan.high * share(plan.wide, ranks));
  return plan;
}

std::vector<Part> panels_of(const PanelPlan& plan, std::int64_t lines, std::int64_t width) {
  std::vector<Part> panels;
  for (std::int64_t left = 0; plan.wide > 0 && left < width; left += plan.wide) {
    for (std::int64_t top = 0; top < lines; top += plan.high) {
      panels.push_back({top, std::min(plan.high, lines - top), left, std::min(plan.wide, width - left)});
    }
  }
  return panels;
}

}  // namespace tombolo
