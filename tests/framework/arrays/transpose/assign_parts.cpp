#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <random>
#include <utility>
#include <vector>

#include <catch2/catch.hpp>

#include <tombolo/framework/arrays/redistribution.hpp>
#include <tombolo/framework/arrays/transpose/assign_parts.hpp>
#include <tombolo/framework/shares.hpp>

#include "models/figured_platform.hpp"

using namespace tombolo;
using Counts = std::vector<std::int64_t>;

namespace {

Redistribution transposed(const Layout& a, const Layout& b) {
  return {Distribution(a), Distribution(b), true};
}

}  // namespace

TEST_CASE("parts of a grid stay where they are") {
  for (const auto& [p, q] : {std::pair{1, 1}, {2, 3}, {3, 2}, {4, 4}, {1, 7}, {13, 1}, {17, 20}}) {
    const Counts heights = equal_shares(500, p);
    const Counts widths = equal_shares(300, q);
    const Layout a = Layout::blocks(heights, widths);
    const Layout b = assign_parts(a, Layout::blocks(widths, heights), nullptr);
    CHECK(transposed(a, b).staying() == 500 * 300);
  }
}

TEST_CASE("no rank gets a part that is too large for it, and nothing moves for little") {
  std::mt19937_64 random(4);
  for (int round = 0; round < 100; ++round) {
    const int p = 1 + static_cast<int>(random() % 4);
    const int q = 1 + static_cast<int>(random() % 4);
    const auto shares = [&](std::int64_t items, int ranks) {
      Counts speeds(static_cast<std::size_t>(ranks));
      for (auto& speed : speeds) speed = 1 + static_cast<std::int64_t>(random() % 9);
      return proportional_shares(items, speeds);
    };
    const Layout a = Layout::blocks(shares(97, p), shares(61, q));
    const Layout plain =
        round % 2 == 0 ? Layout::blocks(shares(61, p), shares(97, q)) : Layout::rows(shares(61, p * q), 97);
    const Layout b = assign_parts(a, plain, nullptr);
    const Redistribution before = transposed(a, plain);
    const Redistribution after = transposed(a, b);
    CHECK(after.staying() >= before.staying());
    for (Rank rank = 0; rank < p * q; ++rank) {
      const std::int64_t had = std::max(a.part(rank).elements(), plain.part(rank).elements());
      CHECK(b.part(rank).elements() <= had + had / 8);
    }
    if (b != plain) CHECK(after.staying() > before.staying());
  }
}

TEST_CASE("what crosses slow links counts more") {
  for (unsigned seed = 0; seed < 20; ++seed) {
    Platform platform = with_figures(clusters_of_hosts({{1, 1}, {1, 1}}), seed);  // ranks 0 and 1, 2 and 3
    platform.links.front().rate = {1000, 0};
    const Layout a = Layout::blocks(Counts{60, 40}, Counts{50, 50});
    for (const Layout& plain :
         {Layout::blocks(Counts{50, 50}, Counts{40, 60}), Layout::columns(100, Counts{20, 30, 20, 30}),
          Layout::blocks(Counts{50, 50}, Counts{60, 40})}) {
      const Layout b = assign_parts(a, plain, &platform);
      CHECK(b == assign_parts(a, plain, &platform));
      const auto crossing = [&](const Layout& layout) {
        std::int64_t elements = 0;
        for (Rank from = 0; from < 4; ++from) {
          for (Rank to = 0; to < 4; ++to) {
            if (from / 2 != to / 2) elements += overlap(a.part(from), layout.part(to).transposed()).elements();
          }
        }
        return elements;
      };
      CHECK(crossing(b) <= crossing(plain));
    }
  }
}
