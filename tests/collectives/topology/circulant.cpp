#include <algorithm>
#include <bit>
#include <cstdint>
#include <set>
#include <vector>

#include <catch2/catch.hpp>

#include <tombolo/collectives/topology/circulant.hpp>

#include "support/sanitized.hpp"

using namespace tombolo;

namespace {

int log2_up(int places) {
  return std::bit_width(static_cast<unsigned>(places) - 1);
}

std::vector<int> sizes() {
  std::vector<int> all;
  for (int places = 1; places <= (test::sanitized() ? 40 : 300); ++places) all.push_back(places);
  for (const int places : {511, 512, 513, 997, 4097}) all.push_back(places);
  return all;
}

// Runs the rounds of all places at once; returns the first fault, or an empty text.
std::string fault_of_broadcast(int places, std::int64_t blocks) {
  const Circulant graph(places);
  std::vector<std::vector<Circulant::Round>> all;
  for (int place = 0; place < places; ++place) all.push_back(graph.broadcast(place, blocks));
  const auto at = [&](int place, std::size_t round) { return all[static_cast<std::size_t>(place)][round]; };
  std::vector<std::vector<bool>> has(static_cast<std::size_t>(places),
                                     std::vector<bool>(static_cast<std::size_t>(blocks)));
  has.front().assign(static_cast<std::size_t>(blocks), true);
  const std::size_t rounds = all.front().size();
  if (static_cast<std::int64_t>(rounds) != blocks - 1 + log2_up(places)) return "rounds";
  for (std::size_t round = 0; round < rounds; ++round) {
    // Nothing that arrives in a round leaves in it.
    for (int place = 0; place < places; ++place) {
      const Circulant::Round now = at(place, round);
      if (at(now.to, round).from != place || at(now.to, round).received != now.sent) return "sides differ";
      if (now.sent != Circulant::nothing && !has[static_cast<std::size_t>(place)][static_cast<std::size_t>(now.sent)])
        return "sent before received";
    }
    for (int place = 0; place < places; ++place) {
      const std::int64_t block = at(place, round).received;
      if (block == Circulant::nothing) continue;
      auto known = has[static_cast<std::size_t>(place)][static_cast<std::size_t>(block)];
      if (known) return "received twice";
      known = true;
    }
  }
  for (const std::vector<bool>& each : has) {
    if (std::ranges::find(each, false) != each.end()) return "never received";
  }
  return "";
}

}  // namespace

TEST_CASE("skips of a circulant graph are halves, rounded up, and as many as binary digits") {
  for (const int places : sizes()) {
    const Circulant graph(places);
    REQUIRE(graph.places() == places);
    REQUIRE(graph.degree() == log2_up(places));
    for (int turn = 0; turn < graph.degree(); ++turn) REQUIRE(graph.skip(turn) == (graph.skip(turn + 1) + 1) / 2);
    REQUIRE(graph.skip(0) == 1);
  }
}

TEST_CASE("a place of a circulant graph receives different blocks in all turns, one of them its first") {
  for (const int places : sizes()) {
    const Circulant graph(places);
    for (int place = 1; place < places; ++place) {
      const std::vector<int> in = graph.received(place);
      std::set<int> blocks;
      for (const int block : in) blocks.insert(block < 0 ? block + graph.degree() : block);
      REQUIRE(blocks.size() == static_cast<std::size_t>(graph.degree()));
      REQUIRE(std::ranges::count_if(in, [](int block) { return block >= 0; }) == 1);
    }
  }
}

TEST_CASE("broadcasts over circulant graphs take the fewest rounds, every block received once and before it is sent") {
  for (const int places : sizes()) {
    if (places == 1) continue;
    const int degree = log2_up(places);
    for (const int blocks : {1, 2, 3, degree, degree + 1, 2 * degree + 3}) {
      INFO(places << " places, " << blocks << " blocks");
      REQUIRE(fault_of_broadcast(places, blocks) == "");
    }
  }
}

TEST_CASE("schedules over circulant graphs of a million places and more follow from the place alone") {
  for (const int places : {1'000'003, 1 << 30, (1 << 30) + 1, 2'147'483'647}) {
    const Circulant graph(places);
    for (const int place : {1, 2, 77, places / 3, places / 2, places - 2, places - 1}) {
      const std::vector<int> in = graph.received(place);
      const std::vector<int> out = graph.sent(place);
      REQUIRE(in.size() == static_cast<std::size_t>(graph.degree()));
      // What it sends it has received: in an earlier turn, or as the base block of the turns before.
      const int base = *std::ranges::max_element(in);
      for (int turn = 0; turn < graph.degree(); ++turn) {
        const auto so_far = in.begin() + turn;
        const int block = out[static_cast<std::size_t>(turn)];
        const bool known = block == base - graph.degree() || std::find(in.begin(), so_far, block) != so_far;
        CHECK(known);
      }
    }
  }
}

TEST_CASE("the broadcasts of all places are those of each") {
  for (const int places : {1, 2, 3, 8, 13, 100}) {
    const Circulant graph(places);
    for (const int blocks : {0, 1, 5, 20}) {
      const auto all = graph.broadcasts(blocks);
      REQUIRE(all.size() == static_cast<std::size_t>(places));
      for (int place = 0; place < places; ++place) {
        REQUIRE(all[static_cast<std::size_t>(place)] == graph.broadcast(place, blocks));
      }
    }
  }
}

TEST_CASE("without blocks, or alone, nothing is broadcast over a circulant graph") {
  CHECK(Circulant(9).broadcast(3, 0).empty());
  CHECK(Circulant(1).broadcast(0, 5).empty());
}
