#include <algorithm>
#include <cstdint>
#include <vector>

#include <catch2/catch.hpp>

#include <tombolo/collectives/predict/even_network.hpp>

using namespace tombolo;

namespace {

// Each rank that is informed sends to whoever is not, as often as it may.
Picoseconds greedy(int others, int ranks_per_host, Picoseconds gap, Picoseconds hop) {
  std::vector<Picoseconds> sends(static_cast<std::size_t>(ranks_per_host), 0);  // next start of each informed rank
  Picoseconds last = 0;
  for (int host = 0; host < others; ++host) {
    const auto first = std::min_element(sends.begin(), sends.end());
    last = std::max(last, *first + hop);
    const Picoseconds informed = *first + hop;
    *first += gap;
    sends.insert(sends.end(), static_cast<std::size_t>(ranks_per_host), informed);
  }
  return last;
}

}  // namespace

TEST_CASE("spreading takes what the greedy broadcast of the postal model takes") {
  for (const int ranks_per_host : {1, 3}) {
    for (int others = 0; others <= 200; others += 1 + others / 10) {
      for (const auto& [gap, hop] : {std::pair(1, 1), std::pair(1, 2), std::pair(2, 7), std::pair(3, 100)}) {
        INFO(others << " others, gap " << gap << ", hop " << hop);
        CHECK(spreading_time(others, ranks_per_host, gap, hop) == greedy(others, ranks_per_host, gap, hop));
      }
    }
  }
  CHECK(spreading_time(1000, 1, 0, 5) == 5);
  CHECK(spreading_time(1'000'000, 1, 1, 1) == 20);
}

TEST_CASE("copying is limited by direct messages at first, then by the source's rate and one hop more") {
  // A byte takes a picosecond, a hop 1000.
  const EvenNetwork network{.hosts = 11, .flight = 1000, .all_rates = 11 * picoseconds_per_second};
  const auto time = [&](Bytes bytes) { return copying_time(network, bytes, picoseconds_per_second, 0); };
  CHECK(time(0) == 0);
  CHECK(time(50) == 1000 + 500);  // ten direct messages
  CHECK(time(100) == 1000 + 1000);
  CHECK(time(1100) == 1000 + 2000);  // 1000 first, then ten times the last 100
  CHECK(time(1'000'100) == 1000 + 1'001'000);
}

TEST_CASE("combining takes two hops, or many messages") {
  const EvenNetwork network{.hosts = 10, .flight = 1000, .all_rates = 10 * picoseconds_per_second};
  CHECK(combining_time(network, 10) == 1000 + 90);                // from each to each
  CHECK(combining_time(network, 1000) == 1000 + 900 + 900);       // a ninth of the last hop is saved
  CHECK(combining_time(network, 1'000'000) == 1000 + 1'800'000);  // twice the vector but for a tenth
}

TEST_CASE("prefixes in little time take almost twice the messages of a chain") {
  const EvenNetwork network{.hosts = 100, .flight = 1000, .all_rates = 100 * picoseconds_per_second};
  CHECK(prefix_time(network, 0) == 0);
  const Picoseconds some = prefix_time(network, 10'000) - 1000;
  CHECK(some > 17'000);
  CHECK(some < 20'000);
  const Picoseconds large = prefix_time(network, 1'000'000) - 1000;
  CHECK(large >= 990'000 - 1);
  CHECK(large < 1'010'000);
  for (Bytes bytes = 1; bytes < 1'000'000'000; bytes *= 3) {
    CHECK(prefix_time(network, bytes) <= prefix_time(network, 3 * bytes));
  }
  CHECK(prefix_time(network, Bytes{1} << 45) > (Bytes{1} << 44));
}
