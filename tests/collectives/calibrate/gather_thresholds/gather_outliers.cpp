#include <random>
#include <vector>

#include <catch2/catch.hpp>

#include <tombolo/collectives/calibrate/gather_thresholds/gather_outliers.hpp>

using namespace tombolo;

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
