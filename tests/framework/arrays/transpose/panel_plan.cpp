#include <algorithm>
#include <cstdint>
#include <vector>

#include <catch2/catch.hpp>

#include <tombolo/framework/arrays/transpose/panel_plan.hpp>

using namespace tombolo;

namespace {

std::int64_t share(std::int64_t all, int ranks) {
  return (all + ranks - 1) / ranks;
}

}  // namespace

TEST_CASE("panels cover a file once, and no rank takes more than it may") {
  for (const std::int64_t lines : {0, 1, 2, 7, 64, 1001}) {
    for (const std::int64_t width : {0, 1, 3, 10, 100, 997}) {
      for (const int ranks : {1, 2, 3, 8, 78}) {
        for (const std::int64_t most : {1, 2, 5, 33, 1000, 20'000, 2'000'000}) {
          INFO(lines << " x " << width << ", " << ranks << " ranks, " << most);
          const PanelPlan plan = plan_panels(lines, width, ranks, most);
          std::vector<char> seen(static_cast<std::size_t>(lines * width));
          bool good = plan.room <= most;
          for (const Part& panel : panels_of(plan, lines, width)) {
            good = good && share(panel.rows, ranks) * panel.columns <= plan.room;
            good = good && panel.rows * share(panel.columns, ranks) <= plan.room;
            for (std::int64_t i = panel.first_row; i < panel.first_row + panel.rows; ++i) {
              const auto row = seen.begin() + i * width + panel.first_column;
              good = good && std::count(row, row + panel.columns, 0) == panel.columns;
              std::fill_n(row, panel.columns, 1);
            }
          }
          REQUIRE(good);
          REQUIRE(std::count(seen.begin(), seen.end(), 1) == lines * width);
        }
      }
    }
  }
}

TEST_CASE("what fits is one panel, else they are as square as the matrix lets them be") {
  CHECK(plan_panels(1000, 300, 3, 100'200) == PanelPlan{1000, 300, 100'200});
  const PanelPlan square = plan_panels(1'000'000, 1'000'000, 4, 1'000'000);
  CHECK(square.high >= 1900);
  CHECK(square.wide >= 1900);
  CHECK(plan_panels(1'000'000, 10, 2, 1'000'000) == PanelPlan{200'000, 10, 1'000'000});
  CHECK(plan_panels(10, 1'000'000, 2, 1'000'000).high == 10);
  constexpr std::int64_t large = std::int64_t{1} << 35;
  const PanelPlan beyond = plan_panels(large, large, 1000, std::int64_t{1} << 33);
  CHECK(std::min(beyond.high, beyond.wide) >= 2'800'000);
}
