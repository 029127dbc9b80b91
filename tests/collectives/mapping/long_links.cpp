#include <catch2/catch.hpp>

#include <tombolo/collectives/mapping/long_links.hpp>
#include <tombolo/models/kinds/hockney/hockney.hpp>

using namespace tombolo;

TEST_CASE("a link holds its latency times the rate of the share that it carries") {
  // 1 ms at 100 MB/s: 100 kB on their way, of which the trees have a quarter and three quarters.
  const Hockney model({.latency = 1'000'000'000, .rate = 100'000'000, .longest_latency = 1'000'000'000});
  const RankTree chain({0, 1, 2}, {-1, 0, 1});
  const MappedTrees trees = with_long_links({"", {{chain, 1}, {chain, 3}}}, model);
  CHECK(trees.all()[0].long_links.front() == 0);
  for (const std::size_t place : {1U, 2U}) {
    const Bytes quarter = trees.all()[0].long_links[place];
    CHECK((quarter > 20'000 && quarter <= 25'000));  // Hockney's gap has the latency in it
    const Bytes rest = trees.all()[1].long_links[place] - 3 * quarter;
    CHECK((rest >= 0 && rest <= 2));
  }
}
