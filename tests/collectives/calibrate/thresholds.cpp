#include <algorithm>
#include <cmath>
#include <cstdint>
#include <random>
#include <stdexcept>
#include <vector>

#include <catch2/catch.hpp>

#include <tombolo/collectives/calibrate/thresholds.hpp>

using namespace tombolo;

namespace {

constexpr Bytes kib = 1024;

double even(std::mt19937& random) {
  return static_cast<double>(random()) / 4294967296.0;
}

// An imagined linear gather: lines below M_1 and above M_2, in between a third of the times escalate. Every size has
// one time, however often it is asked for.
class Gather {
 public:
  Bytes small = 0;
  Bytes large = 0;
  Bytes sure = 64;  // so far above M_1 all escalate
  double noise = 0;
  unsigned seed = 0;
  PerMegabyte small_slope = 30'000'000'000;   // 33 MB/s
  PerMegabyte large_slope = 200'000'000'000;  // 5 MB/s

  Picoseconds operator()(Bytes size) const {
    std::mt19937 random(seed + static_cast<unsigned>(size) * 7919);
    random.discard(5);
    const PerMegabyte slope = size > large ? large_slope : small_slope;
    const double time = 1e9 + static_cast<double>(slope) * static_cast<double>(size) / 1e6;
    const double noisy = time * (1 + noise * (2 * even(random) - 1));
    // Discrete levels, whatever the size; the first one always.
    const bool escalates = size > small && size <= large && (size - small <= sure || even(random) < 0.35);
    return std::llround(escalates ? 200e9 + 50e9 * static_cast<double>(random() % 2) : noisy);
  }
  SizeTimes row(Bytes last, Bytes stride) const {
    SizeTimes row;
    for (Bytes size = 0; size <= last; size += stride) row.push_back({size, (*this)(size)});
    return row;
  }
};

bool near(PerMegabyte found, PerMegabyte expected, double error) {
  return std::abs(static_cast<double>(found - expected)) <= error * static_cast<double>(expected);
}

}  // namespace

TEST_CASE("a leap in the times of a scatter is found") {
  std::mt19937 random(1);
  for (int trial = 0; trial < 200; ++trial) {
    const double noise = 0.05 * even(random) * (trial % 4 == 0 ? 0 : 1);
    const Bytes stride = 2 * kib;
    const Bytes threshold = (10 + static_cast<Bytes>(random() % 60)) * stride + static_cast<Bytes>(random() % 2048);
    SizeTimes row;
    for (Bytes size = 0; size <= 80 * stride; size += stride) {
      const double time =
          size <= threshold ? 1e9 + 3e4 * static_cast<double>(size) : 2.5e9 + 2e5 * static_cast<double>(size);
      row.push_back({size, std::llround(time * (1 + noise * (2 * even(random) - 1)))});
    }
    const auto found = scatter_threshold(row);
    INFO("threshold " << threshold << ", noise " << noise);
    REQUIRE(found.has_value());
    CHECK(*found <= threshold);
    CHECK(*found > threshold - stride);
  }
}

TEST_CASE("times without a leap have no threshold") {
  std::mt19937 random(2);
  int wrong = 0;
  for (int trial = 0; trial < 200; ++trial) {
    const double noise = 0.05 * even(random);
    SizeTimes row;
    for (Bytes size = 0; size <= 160 * kib; size += 2 * kib) {
      row.push_back(
          {size, std::llround((1e9 + 3e4 * static_cast<double>(size)) * (1 + noise * (2 * even(random) - 1)))});
    }
    wrong += scatter_threshold(row).has_value() ? 1 : 0;
    wrong += gather_thresholds(row, {}).has_value() ? 1 : 0;
  }
  CHECK(wrong <= 8);  // of 400, by chance
  CHECK_FALSE(scatter_threshold({}).has_value());
  CHECK_FALSE(scatter_threshold({{0, 5}}).has_value());
}

TEST_CASE("the thresholds of a gather are found, the first to the byte") {
  std::mt19937 random(3);
  for (int trial = 0; trial < 60; ++trial) {
    Gather gather;
    gather.small = 3 * kib + static_cast<Bytes>(random() % 9000);
    gather.large = 60 * kib + static_cast<Bytes>(random() % 65536);
    gather.noise = trial % 4 == 0 ? 0 : 0.05 * even(random);
    gather.seed = static_cast<unsigned>(trial) * 1000003;
    const Bytes stride = 2 * kib;
    std::int64_t measured = 0;
    const auto measure = [&](std::span<const Bytes> sizes) {
      SizeTimes times;
      for (const Bytes size : sizes) times.push_back({size, gather(size)});
      measured += static_cast<std::int64_t>(sizes.size());
      return times;
    };
    const auto found = gather_thresholds(gather.row(220 * kib, stride), measure);
    INFO("M1 " << gather.small << ", M2 " << gather.large << ", noise " << gather.noise);
    REQUIRE(found.has_value());
    INFO("found " << found->small << " and " << found->large);
    CHECK(found->small == gather.small);
    // The last sizes before M_2 may be some that do not escalate.
    CHECK(found->large <= gather.large);
    CHECK(found->large > gather.large - 4 * stride);
    CHECK(near(found->small_slope, gather.small_slope, 0.02 + 2 * gather.noise));
    CHECK(near(found->large_slope, gather.large_slope, 0.01 + gather.noise));
    CHECK(measured <= gather.small + 70 * kib);
  }
}

TEST_CASE("where no time escalates, small messages end where large ones begin") {
  Gather gather;
  gather.small = gather.large = 65'000;
  const auto none = [](std::span<const Bytes>) -> SizeTimes { throw std::logic_error("nothing to measure"); };
  const auto found = gather_thresholds(gather.row(200'000, 2000), none);
  REQUIRE(found.has_value());
  CHECK(found->small == 64'000);
  CHECK(found->large == 64'000);
  CHECK(near(found->small_slope, gather.small_slope, 0.001));
  CHECK(near(found->large_slope, gather.large_slope, 0.001));
}

TEST_CASE("sizes without time do not count, and a coarser search measures less") {
  Gather gather;
  gather.small = 10'000;
  gather.large = 70'000;
  gather.sure = 4000;
  std::size_t measured = 0;
  const auto measure = [&](std::span<const Bytes> sizes) {
    measured += sizes.size();
    SizeTimes times;
    for (const Bytes size : sizes) times.push_back({size, gather(size)});
    return times;
  };
  SizeTimes row = gather.row(200'000, 2000);
  row.front().time = 0;
  const auto found = gather_thresholds(row, measure, 500);
  REQUIRE(found.has_value());
  CHECK(found->small <= gather.small);
  CHECK(found->small > gather.small - 500);
  CHECK(measured < 40);
  CHECK_FALSE(gather_thresholds({}, measure).has_value());
  CHECK_FALSE(gather_thresholds({{0, 0}, {10, 5}}, measure).has_value());
}

TEST_CASE("sizes that are known to escalate do so whatever their time says, up to the end of the row") {
  Gather gather;
  gather.small = gather.large = 1'000'000;
  SizeTimes row = gather.row(100'000, 5000);
  const auto none = [](std::span<const Bytes>) { return SizeTimes(); };
  REQUIRE_FALSE(gather_thresholds(row, none, 5000).has_value());
  row[4].escalates = row[6].escalates = true;
  const auto found = gather_thresholds(row, none, 5000);
  REQUIRE(found.has_value());
  CHECK(found->small == 15'000);
  CHECK(found->large == 30'000);
  CHECK(near(found->large_slope, gather.small_slope, 0.001));
  row.back().escalates = true;
  const auto open = gather_thresholds(row, none, 5000);
  REQUIRE(open.has_value());
  CHECK(open->small == 15'000);
  CHECK(open->large == 100'000);
  CHECK(open->large_slope == 0);
}

TEST_CASE("kappas are what the measured slopes have beyond the model's") {
  const std::vector<PerMegabyte> others = {5'000, 9'000, 7'000};
  const GatherSlopes modelled = modelled_gather_slopes(1'000, others);
  CHECK(modelled.small == 3 * 1'000 + 9'000);
  CHECK(modelled.large == 3 * 1'000 + 21'000);
  const GatherSlopes kappa = gather_corrections({.small_slope = 13'000, .large_slope = 23'000}, modelled);
  CHECK(kappa.small == 1'000);
  CHECK(kappa.large == -1'000);
  CHECK(modelled_gather_slopes(1'000, {}).large == 0);
}

namespace {

constexpr Picoseconds millisecond = 1'000'000'000;
constexpr int repetitions = 20;

// A gather of 80 ns a byte behind 1 ms, with noise of 30 %; above `small` and up to `large` some of its repetitions
// wait 200 ms for a retransmission.
struct Imagined {
  Bytes small = 0;
  Bytes large = 0;
  int one_in = 4;
  std::mt19937 random{1};

  std::vector<RepeatedTimes> row() {
    std::vector<RepeatedTimes> row;
    for (Bytes size = 256; size <= 262'144; size += size / 2) {
      RepeatedTimes gather{size, {}};
      for (int i = 0; i < repetitions; ++i) {
        const Picoseconds regular = millisecond + 80'000 * size;
        const Picoseconds noise = regular / 1000 * static_cast<Picoseconds>(random() % 300);
        const bool waits = size > small && size <= large && static_cast<int>(random()) % one_in == 0;
        gather.times.push_back(regular + noise + (waits ? 200 * millisecond : 0));
      }
      row.push_back(gather);
    }
    return row;
  }
};

}  // namespace

TEST_CASE("steady gathers do not escalate, however noisy, and one slow repetition is none if it does not come again") {
  Imagined imagined;
  std::vector<RepeatedTimes> gathers = imagined.row();
  const std::vector<Picoseconds> usual = gathers[3].times;
  gathers[3].times[7] *= 50;
  CHECK(judge_escalations(gathers).row[3].escalates);
  const auto again = [&](Bytes size) {
    CHECK(size == gathers[3].size);
    return usual;
  };
  const std::vector<Bytes> others = {gathers[2].size, gathers[4].size};
  CHECK(confirmed_escalations(gathers, others, again).row[3].escalates);
  const std::vector<Bytes> suspects = {gathers[2].size, gathers[3].size};
  const EscalatingRow judged = confirmed_escalations(gathers, suspects, again);
  REQUIRE(judged.row.size() == gathers.size());
  for (const SizeTime& point : judged.row) CHECK_FALSE(point.escalates);
  CHECK(judged.excess == 0);
}

TEST_CASE("escalations of one gather in four are seen where the median has none, and their thresholds found") {
  int wrong = 0;  // where the regular times, by chance, break
  for (unsigned seed = 1; seed <= 20; ++seed) {
    Imagined imagined{.small = 2000, .large = 12'000, .one_in = 4, .random = std::mt19937(seed)};
    const EscalatingRow judged = judge_escalations(imagined.row());
    const auto found = gather_thresholds(
        judged.row, [](std::span<const Bytes>) { return SizeTimes(); }, 4096);
    REQUIRE(found.has_value());
    CHECK(found->small <= 2000);
    CHECK(found->small > 1000);
    wrong += found->large > 12'000 ? 1 : 0;
    CHECK(found->large > 6'000);
    CHECK(judged.excess > 15 * millisecond);
    CHECK(judged.excess < 120 * millisecond);
  }
  CHECK(wrong <= 2);
}

TEST_CASE("where all repetitions escalate, the smaller sizes tell") {
  Imagined imagined{.small = 20'000, .large = 100'000, .one_in = 1};
  for (const SizeTime& point : judge_escalations(imagined.row()).row) {
    INFO(point.size);
    CHECK(point.escalates == (point.size > 20'000 && point.size <= 100'000));
  }
}

TEST_CASE("a steeper line at the end of the row is that of large messages") {
  std::vector<RepeatedTimes> gathers;
  for (Bytes size = 1000; size <= 256'000; size *= 2) {
    gathers.push_back({size, std::vector<Picoseconds>(repetitions, (size > 30'000 ? 900'000 : 80'000) * size)});
  }
  for (const SizeTime& point : judge_escalations(gathers).row) CHECK_FALSE(point.escalates);
  gathers.back().times.back() *= 3;  // no longer steady
  CHECK(judge_escalations(gathers).row.back().escalates);
}
