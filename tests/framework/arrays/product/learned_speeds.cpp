#include <algorithm>
#include <cstddef>
#include <random>
#include <vector>

#include <catch2/catch.hpp>

#include <tombolo/framework/arrays/product/learned_speeds.hpp>

using namespace tombolo;

namespace {

using Speeds = std::vector<FlopsPerSecond>;

constexpr Picoseconds second = 1'000'000'000'000;

/// A product shared out by the learned speeds, on ranks that have these speeds now.
void run(LearnedSpeeds& learned, const Speeds& measured, const std::vector<double>& now) {
  const Speeds shares = learned.of(measured);
  std::vector<Picoseconds> taken;
  for (std::size_t rank = 0; rank < shares.size(); ++rank) {
    taken.push_back(
        static_cast<Picoseconds>(static_cast<double>(second) * static_cast<double>(shares[rank]) / now[rank]));
  }
  learned.note(std::vector<Picoseconds>(shares.size(), second), taken);
}

/// The time of such a product beside that of an ideal one.
double over_ideal(const Speeds& shares, const std::vector<double>& now) {
  double all_shares = 0;
  double all_now = 0;
  double slowest = 0;
  for (std::size_t rank = 0; rank < shares.size(); ++rank) {
    all_shares += static_cast<double>(shares[rank]);
    all_now += now[rank];
    slowest = std::max(slowest, static_cast<double>(shares[rank]) / now[rank]);
  }
  return slowest / all_shares * all_now;
}

}  // namespace

TEST_CASE("before the first product speeds are the measured ones") {
  CHECK(LearnedSpeeds().of({5, 0, 7}) == Speeds{5, 0, 7});
}

TEST_CASE("ranks as fast as measured stay as they are, whatever the level") {
  LearnedSpeeds learned;
  const Speeds measured{4'000'000'000, 2'000'000'000, 1'000'000'000};
  for (int i = 0; i < 5; ++i) run(learned, measured, {1.2e9, 0.6e9, 0.3e9});
  CHECK(over_ideal(learned.of(measured), {4, 2, 1}) == Approx(1).margin(1e-4));
}

TEST_CASE("speeds that were measured wrong are learned") {
  std::mt19937_64 random(4);
  for (const int ranks : {2, 3, 7, 64}) {
    Speeds measured;
    std::vector<double> now;
    for (int rank = 0; rank < ranks; ++rank) {
      now.push_back(1e9 * (1 + static_cast<double>(random() % 1000) / 500));
      measured.push_back(static_cast<FlopsPerSecond>(now.back() * (rank % 2 == 0 ? 2 : 0.7)));
    }
    LearnedSpeeds learned;
    double before = over_ideal(measured, now);
    CHECK(before > 1.15);
    for (int i = 0; i < 8; ++i) {
      run(learned, measured, now);
      const double after = over_ideal(learned.of(measured), now);
      CHECK(after <= before);
      before = after;
    }
    CHECK(before < 1.05);
  }
}

TEST_CASE("what lasts for one product only does not count much") {
  std::mt19937_64 random(5);
  const Speeds measured(16, 1'000'000'000);
  LearnedSpeeds learned;
  double mean = 0;
  for (int i = 0; i < 100; ++i) {
    std::vector<double> now;  // each rank at half its speed in one of four products
    for (int rank = 0; rank < 16; ++rank) now.push_back(random() % 4 == 0 ? 0.5e9 : 1e9);
    run(learned, measured, now);
    mean += over_ideal(learned.of(measured), std::vector<double>(16, 1e9)) / 100;
  }
  CHECK(mean < 1.5);  // shares by the last product alone: 1.8
}

TEST_CASE("ranks that compute nothing stay as they were, and nothing is too slow to count") {
  LearnedSpeeds learned;
  learned.note(std::vector<Picoseconds>{0, second, second}, std::vector<Picoseconds>{0, second, 3 * second});
  CHECK(learned.of({900, 900, 900})[0] == 900);
  CHECK(learned.of({900, 900, 900})[1] > 900);
  CHECK(learned.of({900, 900, 900})[2] < 900);
  LearnedSpeeds none;
  none.note(std::vector<Picoseconds>{second, second}, std::vector<Picoseconds>{0, 0});
  CHECK(none.of({3, 4}) == Speeds{3, 4});
  for (int i = 0; i < 100; ++i) {
    none.note(std::vector<Picoseconds>{1, 1'000'000 * second}, std::vector<Picoseconds>{1'000'000 * second, 1});
  }
  CHECK(none.of({1, 1}).front() == 1);
}
